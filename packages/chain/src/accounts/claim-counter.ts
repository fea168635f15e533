import {
  type Address,
  type GetAccountInfoApi,
  getBase64Encoder,
  type ReadonlyUint8Array,
  type Rpc,
} from '@solana/kit';
import { getClaimCounterDecoder, getClaimCounterSize } from '../generated/accounts/claimCounter.ts';
import { findClaimCounter } from './pdas.ts';

/** The counter by which the program pays each claim of a lobby once. */
export type ClaimCounter = {
  /** How many claims were made in order; the next one has to name it. */
  readonly nextNumber: bigint;
  /** The id of the last of them. */
  readonly lastBatchId: string;
  /** Where it was like that. */
  readonly slot: bigint;
};

/** The final state of a counter. Undefined if the lobby has none, as far as the node knows. */
export async function readClaimCounter(
  rpc: Rpc<GetAccountInfoApi>,
  programId: Address,
  lobbyId: bigint,
): Promise<ClaimCounter | undefined> {
  const address = await findClaimCounter(programId, lobbyId);
  const { context, value } = await rpc
    .getAccountInfo(address, { commitment: 'finalized', encoding: 'base64' })
    .send();
  if (value?.owner !== programId) return undefined;
  const data = getBase64Encoder().encode(value.data[0]);
  if (data.length !== getClaimCounterSize()) throw new Error(`${address} is not a counter of claims`);
  const { nextNumber, lastBatch } = getClaimCounterDecoder().decode(data);
  return { nextNumber, lastBatchId: batchIdFrom(lastBatch), slot: context.slot };
}

/** The 16 bytes of a UUID. */
export function batchBytesOf(batchId: string): Uint8Array {
  const hex = batchId.replaceAll('-', '');
  if (!/^[\da-f]{32}$/.test(hex)) throw new RangeError(`${JSON.stringify(batchId)} is not a UUID`);
  return Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
}

export function batchIdFrom(bytes: ReadonlyUint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
