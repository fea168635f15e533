import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { toHex } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { LEAST_RECORDED_SECONDS, statementBytes } from '@engulf/sim/recording/input-statement';
import {
  createInputWitness,
  type InputWitness,
  type WitnessedClaim,
} from '@engulf/sim/recording/input-witness';
import type { RoomPlayer } from '@engulf/trials/room-player';
import type { KeptMatch } from '@engulf/verify/kept-receipts';

/** What a browser signs its player's inputs with: the public halves, as payments name them. */
export type InputsKeys = Map<string, KeyObject>;

type SignedStatement = NonNullable<KeptMatch['statements']>[number];
type Sent = { readonly type: 'movement' | 'split'; readonly x: number; readonly y: number };
type Pen = {
  readonly matchId: string;
  readonly commitment: Uint8Array;
  readonly ticksPerSecond: number;
  readonly key: KeyObject;
  readonly witness: InputWitness;
};

/** What a page keeps of a match, and what it has signed it with. */
type KeptStatement = {
  readonly matchId: string;
  readonly commitment: Uint8Array;
  readonly key: KeyObject;
  readonly statement: SignedStatement;
};

/** Of all players and matches. */
export const statementsKept: KeptStatement[] = [];

export function createInputsKey(keys: InputsKeys): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const publicHex = toHex(new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)));
  keys.set(publicHex, privateKey);
  return publicHex;
}

/** Numbers and sends inputs, and signs what the room has taken, as the page does. */
export function signInputs(keys: InputsKeys) {
  let pen: Pen | undefined;
  let number = 0;
  return { follow, send };

  /** Call with each connection of a visit. */
  function follow(player: RoomPlayer): void {
    player.onMessage((message) => {
      if (message.type === 'error' && message.payload.about !== undefined) pen?.witness.forget();
      if (message.type !== 'welcome') return;
      const { matchId, commitment, ticksPerSecond, inputsKey } = message.payload;
      const key = inputsKey === undefined ? undefined : keys.get(inputsKey);
      if (pen?.matchId === matchId) pen.witness.noteLine();
      else
        pen = key && {
          matchId,
          commitment: bytesOf(commitment),
          ticksPerSecond,
          key,
          witness: createInputWitness(LEAST_RECORDED_SECONDS * ticksPerSecond),
        };
    });
    player.onUpdate(() => {
      const { tick, acknowledged, own } = player.view;
      const alive = own && own.cells.length > 0 ? (own.id as PlayerId) : undefined;
      const witnessed = pen?.witness.noteUpdate(tick, acknowledged, alive);
      if (witnessed) confirm(player, pen!, witnessed);
    });
  }

  function send(player: RoomPlayer, { type, x, y }: Sent): void {
    number = (number + 1) % 256;
    pen?.witness.noteSent(number, { type: type === 'movement' ? 'steer' : 'split', x, y });
    if (type === 'movement') player.send('movement', { x, y, seq: number });
    else player.send('split', { seq: number });
  }
}

function confirm(player: RoomPlayer, pen: Pen, { claim, rowsHash }: WitnessedClaim): void {
  const unsigned = { ...claim, seen: toHex(claim.seen), rowsHash: toHex(rowsHash), signature: '' };
  const statement = signStatement({ ...pen, statement: unsigned });
  statementsKept.push({ ...pen, statement });
  const { player: _, rowsHash: __, ...sent } = statement;
  if (claim.to - claim.from >= LEAST_RECORDED_SECONDS * pen.ticksPerSecond)
    player.send('confirmInputs', sent);
}

/** Signs the statement anew. */
export function signStatement({
  commitment,
  key,
  statement,
}: Omit<KeptStatement, 'matchId'>): SignedStatement {
  const claim = { ...statement, player: statement.player as PlayerId, seen: bytesOf(statement.seen) };
  const bytes = statementBytes(commitment, claim, bytesOf(statement.rowsHash));
  return { ...statement, signature: sign(null, bytes, key).toString('hex') };
}

function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
