import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { failure } from '@engulf/domain/errors/registry';
import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import { hashLogged, isLogged } from '@engulf/sim/recording/input-log';
import { LEAST_RECORDED_SECONDS, statementBytes } from '@engulf/sim/recording/input-statement';
import { applyRecorded } from '@engulf/sim/recording/recorder';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { Seat } from '../ports.ts';
import type { Match } from './match.ts';
import type { Participant } from './roster.ts';

/*
 * Players who pay may name a key, and sign what they did as far as the updates told them that it was taken. What fits the
 * recording goes into it: whoever checks the match sees that nobody else has steered. Nothing in the match depends on it.
 */

const verifyAside = promisify(verify);
/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Resolves when it is recorded or refused. What one player signs is checked in turn, each on another thread. */
export function confirmInputs(
  match: Match,
  participant: Participant,
  payload: RoomClientPayload<'confirmInputs'>,
): Promise<void> {
  const confirming = participant.confirming.then(() => confirmNext(match, participant, payload));
  participant.confirming = confirming.catch(() => undefined);
  return confirming;
}

async function confirmNext(
  match: Match,
  participant: Participant,
  payload: RoomClientPayload<'confirmInputs'>,
): Promise<void> {
  const { player, seat, connection } = participant;
  const { inputs } = match.recorded;
  const refuse = () => connection?.refuse(failure('INPUTS_NOT_CONFIRMED'), 'confirmInputs');
  const { from, to, delayTicks } = payload;
  // Each part of a game once, and none that is short: the recording must not grow at a client's wish.
  const isShort = to - from < LEAST_RECORDED_SECONDS * match.world.rules.stepsPerSecond;
  if (player === undefined || seat.inputsKey === undefined || isShort || from < participant.confirmedToTick)
    return refuse();
  const claim = { player, from, to, delayTicks, seen: new Uint8Array(Buffer.from(payload.seen, 'hex')) };
  const rowsHash = hashLogged(inputs, claim);
  if (!rowsHash) return refuse();
  const bytes = statementBytes(match.commitment, claim, rowsHash);
  const signature = new Uint8Array(Buffer.from(payload.signature, 'hex'));
  // The match goes on meanwhile. What is forgotten then would be called wrong by whoever plays the recording.
  if (!(await isSigned(seat, bytes, signature)) || !isLogged(inputs, claim)) return refuse();
  participant.confirmedToTick = to;
  applyRecorded(match.recorded, { type: 'inputs', ...claim, signature });
}

/**
 * Programs that check signatures differ about points of small order, so none may be in what is recorded: a browser would call
 * wrong what this process has found right.
 */
async function isSigned(seat: Seat, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (!keys.has(seat)) keys.set(seat, readKey(seat.inputsKey!));
  const key = keys.get(seat);
  if (!key || !isSoundPoint(signature.subarray(0, 32))) return false;
  return verifyAside(null, bytes, key, signature);
}

/** Undefined for a key that is none. */
const keys = new WeakMap<Seat, KeyObject | undefined>();

function readKey(hex: string): KeyObject | undefined {
  const bytes = Buffer.from(hex, 'hex');
  const isKey = isSoundPoint(bytes) && ed25519.Point.fromBytes(bytes).isTorsionFree();
  if (!isKey) return undefined;
  return createPublicKey({ key: Buffer.concat([DER_PREFIX, bytes]), format: 'der', type: 'spki' });
}

function isSoundPoint(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder();
  } catch {
    // The 32 bytes are not a point on the curve, or not its canonical encoding.
    return false;
  }
}
