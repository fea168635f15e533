import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { signInstructions } from './load.ts';
import type { TestLocalnet } from './test-localnet.ts';

const LOOKUP_TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111');

/** For messages to name these accounts by. */
export async function createLookupTable(
  chain: TestLocalnet,
  authority: KeyPairSigner,
  addresses: readonly Address[],
): Promise<Address> {
  const { rpc } = chain;
  const slot = await rpc.getSlot({ commitment: 'confirmed' }).send();
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: LOOKUP_TABLE_PROGRAM,
    seeds: [getAddressEncoder().encode(authority.address), getU64Encoder().encode(slot)],
  });
  const instruction = (data: number[]): Instruction => ({
    programAddress: LOOKUP_TABLE_PROGRAM,
    accounts: [
      { address: table, role: AccountRole.WRITABLE },
      { address: authority.address, role: AccountRole.READONLY_SIGNER },
      { address: authority.address, role: AccountRole.WRITABLE_SIGNER },
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    ],
    data: Uint8Array.from(data),
  });
  const create = [...getU32Encoder().encode(0), ...getU64Encoder().encode(slot), bump];
  const keys = addresses.flatMap((key) => [...getAddressEncoder().encode(key)]);
  const extend = [...getU32Encoder().encode(2), ...getU64Encoder().encode(addresses.length), ...keys];
  const signed = await signInstructions(rpc, authority, [instruction(create), instruction(extend)]);
  const fate = await chain.sendAndFinalize(signed);
  if (fate.kind !== 'finalized') throw new Error(`A table was not created: ${JSON.stringify(fate)}`);
  return table;
}
