import {
  type Address,
  containsBytes,
  decodeTransactionFromRpcResponse,
  type ReadonlyUint8Array,
  walkInstructions,
} from '@solana/kit';
import { parseTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { parseTransferCheckedInstruction } from '@solana-program/token';
import { isTokenProgram } from '../accounts/pdas.ts';
import { JOIN_LOBBY_DISCRIMINATOR, parseJoinLobbyInstruction } from '../generated/instructions/joinLobby.ts';
import type { ConfirmedTransaction } from '../node/confirmed-transaction.ts';
import { MEMO_PROGRAM } from '../payouts/claim-message.ts';
import { readInputsMemo } from './inputs-memo.ts';

/** One executed join_lobby instruction, at any depth of the transaction. */
export type JoinPayment = {
  readonly lobbyConfig: Address;
  readonly player: Address;
  readonly treasury: Address;
  /** Undefined in a SOL lobby. */
  readonly tokenMint: Address | undefined;
  readonly entryFee: bigint;
  /** What reached the treasury. */
  readonly platformFee: bigint;
  /** What reached the lobby's pool. */
  readonly stake: bigint;
  /** What the player signs its inputs with, in hexadecimal; undefined if the transaction names none, or several. */
  readonly inputsKey?: string | undefined;
};

/**
 * Every entry a successful transaction pays for. There may be several, for several lobbies and players, and another
 * program may have made the call. Amounts are read from the transfers, because the configs may have changed since.
 */
export function readJoinPayments(transaction: ConfirmedTransaction, programId: Address): JoinPayment[] {
  if (transaction.meta?.err) return [];
  const steps = walk(transaction);
  const inputsKey = findInputsKey(steps);
  return steps.flatMap((step, index) => {
    const join = step.programAddress === programId ? parseJoin(step) : undefined;
    return join ? [payment(join, callsMadeBy(steps, index), inputsKey)] : [];
  });
}

/**
 * What an answer hides of the payments: the program takes the whole price or fails, so whatever is missing was taken all the
 * same. A payment that was read without it would be booked as a gift to the lobby.
 */
export function findPaymentGap(transaction: ConfirmedTransaction, programId: Address): string | undefined {
  const isWhole = readJoinPayments(transaction, programId).every(
    ({ entryFee, platformFee, stake }) => platformFee + stake === entryFee,
  );
  return isWhole ? undefined : 'transfers of a payment are missing';
}

/** False for an answer from which the payments cannot be read, although the transaction may have made some. */
export function isDecodable(transaction: ConfirmedTransaction): boolean {
  try {
    walk(transaction);
    return true;
  } catch {
    return false;
  }
}

function walk(transaction: ConfirmedTransaction): Step[] {
  const { meta } = transaction;
  if (!meta?.innerInstructions) throw new Error('The inner instructions are missing from the answer');
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(transaction);
  const steps = walkInstructions({ compiledMessage, loadedAddresses, meta });
  if (steps.some(isBlurred)) throw new Error('The stack heights are missing from the answer');
  return steps;
}

/** A join that another program called: without stack heights its own calls cannot be told from the next ones. */
function isBlurred({ trace, data }: Step): boolean {
  const isUnplaced = trace.kind === 'inner' && (trace.stackHeight ?? undefined) === undefined;
  return isUnplaced && data !== undefined && startsWith(data, JOIN_LOBBY_DISCRIMINATOR);
}

type Step = ReturnType<typeof walkInstructions>[number];
type Join = NonNullable<ReturnType<typeof parseJoin>>;

function parseJoin({ programAddress, accounts, data }: Step) {
  if (!accounts || !data || !startsWith(data, JOIN_LOBBY_DISCRIMINATOR)) return undefined;
  return parseJoinLobbyInstruction({ programAddress, accounts, data });
}

/** The direct calls of an instruction, without the calls those made. */
function callsMadeBy(steps: readonly Step[], index: number): Step[] {
  const depth = depthOf(steps[index]);
  const after = steps.slice(index + 1);
  const end = after.findIndex((step) => depthOf(step) <= depth);
  return after.slice(0, end === -1 ? after.length : end).filter((step) => depthOf(step) === depth + 1);
}

/** Old nodes omit the stack height; then everything listed under an instruction counts as its direct call. */
function depthOf(step: Step | undefined): number {
  return step?.trace.kind === 'inner' ? Number(step.trace.stackHeight ?? 2) : 1;
}

/** Everybody who pays in the transaction has signed it. A program that was called cannot name a key. */
function findInputsKey(steps: readonly Step[]): string | undefined {
  const memos = steps.filter(
    ({ programAddress, trace }) => programAddress === MEMO_PROGRAM && trace.kind !== 'inner',
  );
  const keys = memos.flatMap(({ data }) => (data ? (readInputsMemo(data as Uint8Array) ?? []) : []));
  return keys.length === 1 ? keys[0] : undefined;
}

function payment(
  { accounts, data }: Join,
  calls: readonly Step[],
  inputsKey: string | undefined,
): JoinPayment {
  const { lobbyConfig, player, platformTreasury, tokenMint } = accounts;
  const pool = accounts.rewardPoolTokenAccount ?? lobbyConfig;
  const treasury = accounts.treasuryTokenAccount ?? platformTreasury;
  const transfers = calls.map(readTransfer).filter((transfer) => transfer !== undefined);
  const received = (account: Address) =>
    transfers.reduce((sum, transfer) => (transfer.to === account ? sum + transfer.amount : sum), 0n);
  return {
    lobbyConfig: lobbyConfig.address,
    player: player.address,
    treasury: platformTreasury.address,
    tokenMint: tokenMint?.address,
    entryFee: data.expectedEntryFeeAmount,
    platformFee: received(treasury.address),
    stake: received(pool.address),
    inputsKey,
  };
}

const TRANSFER_SOL = new Uint8Array([2, 0, 0, 0]);
const TRANSFER_CHECKED = new Uint8Array([12]);

function readTransfer({ programAddress, accounts, data }: Step): { to: Address; amount: bigint } | undefined {
  if (!accounts || !data) return undefined;
  if (programAddress === SYSTEM_PROGRAM_ADDRESS && startsWith(data, TRANSFER_SOL)) {
    const transfer = parseTransferSolInstruction({ programAddress, accounts, data });
    return { to: transfer.accounts.destination.address, amount: transfer.data.amount };
  }
  if (isTokenProgram(programAddress) && startsWith(data, TRANSFER_CHECKED)) {
    const transfer = parseTransferCheckedInstruction({ programAddress, accounts, data });
    return { to: transfer.accounts.destination.address, amount: transfer.data.amount };
  }
  return undefined;
}

function startsWith(data: ReadonlyUint8Array, bytes: Uint8Array): boolean {
  return data.length >= bytes.length && containsBytes(data, bytes, 0);
}
