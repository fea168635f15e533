import { type Address, generateKeyPairSigner, lamports } from '@solana/kit';
import type { World } from './world.ts';

/** Copies an account to another address. Transactions probably cannot, but the program must refuse it anyway. */
export async function copyAccount(
  world: World,
  original: Address,
  changes: { owner?: Address } = {},
): Promise<Address> {
  const found = world.svm.getAccount(original);
  if (!found.exists) throw new Error(`no account ${original}`);
  const { address } = await generateKeyPairSigner();
  world.svm.setAccount({ ...found, address, programAddress: changes.owner ?? found.programAddress });
  return address;
}

/** Changes the owner of an account in place. */
export function changeOwner(world: World, address: Address, owner: Address): void {
  const found = world.svm.getAccount(address);
  if (!found.exists) throw new Error(`no account ${address}`);
  world.svm.setAccount({ ...found, programAddress: owner });
}

/** Overwrites bytes of an account in place. */
export function patchAccount(world: World, address: Address, offset: number, bytes: ArrayLike<number>): void {
  const found = world.svm.getAccount(address);
  if (!found.exists) throw new Error(`no account ${address}`);
  const data = Uint8Array.from(found.data);
  data.set(bytes, offset);
  world.svm.setAccount({ ...found, data });
}

/** Sets the lamports of an address without a transfer. */
export function setLamports(world: World, address: Address, amount: bigint): void {
  const found = world.svm.getAccount(address);
  const empty = {
    address,
    data: new Uint8Array(),
    executable: false,
    programAddress: '11111111111111111111111111111111' as Address,
    space: 0n,
  };
  world.svm.setAccount({ ...(found.exists ? found : empty), lamports: lamports(amount) });
}
