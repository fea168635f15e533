import { toHex } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { LEAST_RECORDED_SECONDS, statementBytes } from '@engulf/sim/recording/input-statement';
import {
  createInputWitness,
  type InputWitness,
  type WitnessedClaim,
} from '@engulf/sim/recording/input-witness';
import { findInputsKey } from '../../../shared/inputs-keys.ts';
import { keepStatement } from '../../../shared/kept-receipts.ts';
import type { ArenaModel } from '../model/arena-model.ts';
import type { ArenaEvents } from '../net/events.ts';
import type { GameRoom } from '../net/game-room.ts';

/** A shorter time would make recordings of full arenas larger by more than a seventh. */
const EVERY_SECONDS = 30;

/** What is signed with, and what for. */
type Pen = {
  readonly key: CryptoKey;
  readonly matchId: string;
  readonly commitment: string;
  readonly ticksPerSecond: number;
  readonly witness: InputWitness;
};

/**
 * Where the payment has named a key of this browser: signs what the player did, as far as the updates say that the room took
 * it, for the recording. Nothing waits for it, and the game goes on without it.
 */
export function signInputs(events: ArenaEvents, send: GameRoom['send']) {
  let pen: Pen | undefined;
  let lines = 0;
  const stop = events.subscribe((event) => {
    if (event.type === 'welcome') void onWelcome(event.payload);
    // After a stall too many may come at once, and the updates do not say which of them were refused.
    else if (event.type === 'error' && isInput(event.payload.about)) pen?.witness.forget();
  });
  return { noteSent, noteUpdate, stop };

  async function onWelcome(
    welcome: Extract<Parameters<ArenaEvents['publish']>[0], { type: 'welcome' }>['payload'],
  ): Promise<void> {
    const { inputsKey, matchId, commitment, ticksPerSecond } = welcome;
    const line = ++lines;
    if (inputsKey === undefined) return;
    if (pen?.matchId === matchId) {
      pen.witness.noteLine();
      return;
    }
    const key = await findInputsKey(inputsKey);
    if (!key || line !== lines) return;
    const witness = createInputWitness(EVERY_SECONDS * ticksPerSecond);
    pen = { key, matchId, commitment, ticksPerSecond, witness };
  }

  function noteSent(number: number, type: 'steer' | 'split' | 'eject', x = 0, y = 0): void {
    pen?.witness.noteSent(number, { type, x, y });
  }

  function noteUpdate({ tick, acknowledged, own }: ArenaModel['view']): void {
    if (!pen) return;
    const player = own && own.cells.length > 0 ? (own.id as PlayerId) : undefined;
    const witnessed = pen.witness.noteUpdate(tick, acknowledged, player);
    if (witnessed) void sign(pen, witnessed);
  }

  async function sign(
    { key, matchId, commitment, ticksPerSecond }: Pen,
    { claim, rowsHash }: WitnessedClaim,
  ): Promise<void> {
    const { player, from, to, delayTicks } = claim;
    const bytes = statementBytes(Uint8Array.from(fromHex(commitment)), claim, rowsHash);
    const signed = await crypto.subtle.sign('Ed25519', key, Uint8Array.from(bytes));
    const signature = toHex(new Uint8Array(signed));
    const statement = { from, to, seen: toHex(claim.seen), delayTicks, signature };
    keepStatement(matchId, { ...statement, player, rowsHash: toHex(rowsHash) });
    if (to - from >= LEAST_RECORDED_SECONDS * ticksPerSecond) send('confirmInputs', statement);
  }
}

function isInput(message: string | undefined): boolean {
  return message === 'movement' || message === 'split' || message === 'ejectMass';
}

function fromHex(text: string): number[] {
  return (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}
