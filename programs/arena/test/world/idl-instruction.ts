import { readFileSync } from 'node:fs';
import {
  type AccountMeta,
  AccountRole,
  type AccountSignerMeta,
  type Address,
  address,
  getAddressEncoder,
  getArrayEncoder,
  getBooleanEncoder,
  getU8Encoder,
  getU16Encoder,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
  type TransactionSigner,
} from '@solana/kit';
import type { AnchorField, AnchorIdl } from '../../idl/anchor.ts';

/** The committed file, as any client reads it, so that every test also checks that IDL and bytecode agree. */
export const idl = JSON.parse(
  readFileSync(new URL('../../idl/arena.json', import.meta.url), 'utf8'),
) as AnchorIdl;

export type ArgumentValue = bigint | number | boolean | bigint[] | Uint8Array | Address;

type InstructionInput = {
  programAddress: Address;
  name: string;
  /** By IDL name. A signer signs, an address does not, whatever the IDL says. Optional accounts may be left out. */
  accounts: Record<string, Address | TransactionSigner>;
  args?: Record<string, ArgumentValue>;
  remaining?: AccountMeta[];
};

/** Builds an instruction from the IDL and values by name alone. */
export function idlInstruction(
  input: InstructionInput,
): Instruction & { accounts: (AccountMeta | AccountSignerMeta)[]; data: Uint8Array } {
  const definition = idl.instructions.find(({ name }) => name === input.name);
  if (!definition) throw new Error(`no instruction ${input.name} in the IDL`);
  const known = new Set(definition.accounts.map(({ name }) => name));
  for (const name of Object.keys(input.accounts))
    if (!known.has(name)) throw new Error(`${input.name} has no account ${name}`);

  const accounts = definition.accounts.map((account): AccountMeta | AccountSignerMeta => {
    const given = input.accounts[account.name] ?? (account.address ? address(account.address) : undefined);
    if (given === undefined) {
      if (!account.optional) throw new Error(`${input.name} needs the account ${account.name}`);
      return { address: input.programAddress, role: AccountRole.READONLY };
    }
    if (typeof given === 'string') {
      return { address: given, role: account.writable ? AccountRole.WRITABLE : AccountRole.READONLY };
    }
    const role = account.writable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
    return { address: given.address, role, signer: given };
  });
  const args = definition.args.flatMap((field) => [...encodeArgument(field, input.args?.[field.name])]);
  return {
    programAddress: input.programAddress,
    accounts: [...accounts, ...(input.remaining ?? [])],
    data: Uint8Array.from([...definition.discriminator, ...args]),
  };
}

function encodeArgument(
  { name, type }: AnchorField,
  value: ArgumentValue | undefined,
): ArrayLike<number> & Iterable<number> {
  if (value === undefined) throw new Error(`missing argument ${name}`);
  if (value instanceof Uint8Array) return value;
  if (typeof type === 'object')
    return getArrayEncoder(getU64Encoder(), { size: getU32Encoder() }).encode(
      value as bigint[],
    ) as Uint8Array;
  switch (type) {
    case 'bool':
      return getBooleanEncoder().encode(value as boolean) as Uint8Array;
    case 'u8':
      return getU8Encoder().encode(value as number) as Uint8Array;
    case 'u16':
      return getU16Encoder().encode(value as number) as Uint8Array;
    case 'u64':
      return getU64Encoder().encode(value as bigint) as Uint8Array;
    case 'pubkey':
      return getAddressEncoder().encode(value as Address) as Uint8Array;
  }
}
