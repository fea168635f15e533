import { type Address, getAddressDecoder } from '@solana/kit';
import type { AnchorField } from '../../idl/anchor.ts';
import { idl } from './idl-instruction.ts';
import type { World } from './world.ts';

export const NO_ADDRESS = '11111111111111111111111111111111' as Address;

export const readGlobalConfig = (world: World) => readAccount(world, 'GlobalConfig', world.globalConfig);

export const readLobby = (world: World, lobby: Address) => readAccount(world, 'LobbyConfig', lobby);

export const readCounter = (world: World, counter: Address) => readAccount(world, 'ClaimCounter', counter);

export const readPayoutKey = (world: World, payoutKey: Address) => readAccount(world, 'PayoutKey', payoutKey);

/** Decodes an account by the IDL alone; throws unless the fields fill it exactly. */
function readAccount(
  world: World,
  type: string,
  address: Address,
): Record<string, Address | bigint | number | boolean | Uint8Array> {
  const found = world.svm.getAccount(address);
  if (!found.exists || found.programAddress !== world.program)
    throw new Error(`${address} is not of the program`);
  const data = Buffer.from(found.data);
  const discriminator = idl.accounts.find(({ name }) => name === type)?.discriminator ?? [];
  if (!data.subarray(0, 8).equals(Buffer.from(discriminator))) throw new Error(`${address} is no ${type}`);

  let at = 8;
  const fields = idl.types.find(({ name }) => name === type)?.type.fields ?? [];
  const values = fields.map(({ name, type }) => {
    const { value, bytes } = decodeField(data.subarray(at), type);
    at += bytes;
    return [name, value] as const;
  });
  if (at !== data.length) throw new Error(`${type} has ${data.length} bytes, its fields ${at}`);
  return Object.fromEntries(values);
}

function decodeField(
  data: Buffer,
  type: AnchorField['type'],
): { value: Address | bigint | number | boolean | Uint8Array; bytes: number } {
  if (typeof type === 'object' && 'array' in type) {
    return { value: new Uint8Array(data.subarray(0, type.array[1])), bytes: type.array[1] };
  }
  switch (type) {
    case 'bool':
      return { value: data[0] === 1, bytes: 1 };
    case 'u8':
      return { value: data.readUInt8(0), bytes: 1 };
    case 'u16':
      return { value: data.readUInt16LE(0), bytes: 2 };
    case 'u64':
      return { value: data.readBigUInt64LE(0), bytes: 8 };
    case 'pubkey':
      return { value: getAddressDecoder().decode(data.subarray(0, 32)), bytes: 32 };
    default:
      throw new Error(`no field of type ${JSON.stringify(type)} in an account`);
  }
}
