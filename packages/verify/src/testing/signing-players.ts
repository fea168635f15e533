import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Command } from '@engulf/sim/commands';
import { numberedKey, toHex } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { isSame } from '@engulf/sim/recording/frames';
import { hashLogged, watchInputs } from '@engulf/sim/recording/input-log';
import { statementBytes } from '@engulf/sim/recording/input-statement';
import { createInputWitness, type WitnessedClaim } from '@engulf/sim/recording/input-witness';
import { applyRecorded, type RecordedMatch } from '@engulf/sim/recording/recorder';
import type { KeptMatch } from '../kept-receipts.ts';

const EVERY_TICKS = 15 * 25;
/** An Ed25519 private key before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function signingKey(number: number): { readonly key: KeyObject; readonly publicHex: string } {
  const der = Buffer.concat([PKCS8, numberedKey(number)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return { key, publicHex: Buffer.from(x!, 'base64url').toString('hex') };
}

/** What an operator does who is not honest. */
export type Operator = {
  /** What becomes of what a player has sent; undefined: it is dropped, and acknowledged all the same. */
  readonly pass?: (command: Command, tick: number) => Command | undefined;
  /** Whether a statement goes into the recording; an honest room keeps those that fit. */
  readonly keeps?: (doesFit: boolean) => boolean;
  /** Whose statement it says that it is. */
  readonly names?: (player: PlayerId) => PlayerId;
  /** Signs with this key instead of the player's. */
  readonly forges?: KeyObject;
};

type Page = {
  readonly number: number;
  readonly witness: ReturnType<typeof createInputWitness>;
  latest: number;
};

/** Players who sign what they do, and what their pages keep of it. Each update reaches them. */
export function signingPlayers({ pass, keeps = (doesFit) => doesFit, names, forges }: Operator = {}) {
  const pages = new Map<PlayerId, Page>();
  const kept = new Map<number, NonNullable<KeptMatch['statements']>>();
  return { send, noteStep, keyOf: (number: number) => signingKey(8_000 + number).publicHex, kept };

  function send(command: Command, tick: number): Command | undefined {
    if (command.type !== 'steer' && command.type !== 'split' && command.type !== 'eject') return command;
    const page = pages.get(command.player);
    if (page) {
      page.latest = (page.latest + 1) % 256;
      const { x, y } = command.type === 'steer' ? command : { x: 0, y: 0 };
      page.witness.noteSent(page.latest, { type: command.type, x, y });
    }
    return pass ? pass(command, tick) : command;
  }

  function noteStep(recorded: RecordedMatch, players: ReadonlyMap<PlayerId, string>, commitment: Uint8Array) {
    const { world } = recorded;
    for (const [player, entry] of players) {
      if (pages.has(player)) continue;
      watchInputs(recorded.inputs, world, player);
      const number = Number(entry.slice('entry-'.length));
      pages.set(player, { number, witness: createInputWitness(EVERY_TICKS), latest: 0 });
    }
    for (const [player, page] of pages) {
      const alive = findPlayer(world.players, player) >= 0 ? player : undefined;
      const claim = page.witness.noteUpdate(world.clock.tick, page.latest, alive);
      if (claim) state(recorded, page.number, claim, commitment);
      if (alive === undefined) pages.delete(player);
    }
  }

  function state(
    recorded: RecordedMatch,
    number: number,
    { claim, rowsHash }: WitnessedClaim,
    commitment: Uint8Array,
  ): void {
    const bytes = statementBytes(commitment, claim, rowsHash);
    const signature = new Uint8Array(sign(null, bytes, forges ?? signingKey(8_000 + number).key));
    const { player, from, to, delayTicks, seen } = claim;
    const hex = { seen: toHex(seen), rowsHash: toHex(rowsHash), signature: toHex(signature) };
    kept.set(number, [...(kept.get(number) ?? []), { player, from, to, delayTicks, ...hex }]);
    const logged = hashLogged(recorded.inputs, claim);
    if (keeps(logged !== undefined && isSame(logged, rowsHash)))
      applyRecorded(recorded, { type: 'inputs', ...claim, player: names?.(player) ?? player, signature });
  }
}
