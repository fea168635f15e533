import { type Address, getAddressDecoder } from '@solana/kit';
import type { World } from './world.ts';

export const NO_ADDRESS = '11111111111111111111111111111111' as Address;

export function readGlobalConfig(world: World) {
  const { data, read } = open(world, world.globalConfig);
  return {
    discriminator: [...data.subarray(0, 8)],
    superAdmin: read.address(8),
    platformTreasury: read.address(40),
    platformFeeBasisPoints: data.readUInt16LE(72),
    bump: data[74],
    bytes: data.length,
  };
}

export function readLobby(world: World, lobby: Address) {
  const { data, read } = open(world, lobby);
  return {
    discriminator: [...data.subarray(0, 8)],
    lobbyId: data.readBigUInt64LE(8),
    tokenMint: read.address(16),
    entryFeeAmount: data.readBigUInt64LE(48),
    rewardPoolTokenAccount: read.address(56),
    isSolLobby: data[88] === 1,
    bump: data[89],
    bytes: data.length,
  };
}

function open(world: World, account: Address) {
  const found = world.svm.getAccount(account);
  if (!found.exists) throw new Error(`no account ${account}`);
  const data = Buffer.from(found.data);
  return { data, read: { address: (at: number) => getAddressDecoder().decode(data.subarray(at, at + 32)) } };
}
