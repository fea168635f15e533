import { numberedKey } from '@engulf/sim/keys';
import { createRandom, type Random, randomBelow, randomBetween } from '@engulf/sim/random';
import { newHand } from './hand.ts';
import type { Mood } from './minds.ts';

/** How a planted account plays. `honest` are the stand-ins for people. */
type Role =
  | 'honest'
  | 'soft'
  | 'ring'
  | 'giver'
  | 'taker'
  | 'feeder'
  | 'fed'
  | 'quiet'
  | 'framer'
  | 'victim'
  | 'aim'
  | 'noise'
  | 'window'
  | 'sight';

export type Account = {
  readonly name: string;
  readonly role: Role;
  readonly mood: Mood;
  readonly hand: ReturnType<typeof newHand>;
  readonly thinkTicks: number;
};

type Group = {
  readonly kind: string;
  readonly accounts: readonly Account[];
  /** How many of them have to be put forward: a case names the partner, so one of a pair is enough. */
  readonly wanted: number;
};

const KINDS: readonly { readonly kind: string; readonly roles: readonly Role[]; readonly wanted: number }[] =
  [
    { kind: 'sparing pair', roles: ['ring', 'ring'], wanted: 1 },
    { kind: 'sparing pair that keeps apart', roles: ['soft', 'soft'], wanted: 1 },
    { kind: 'dumping before a portal', roles: ['giver', 'taker'], wanted: 1 },
    { kind: 'ring of four', roles: ['ring', 'ring', 'ring', 'ring'], wanted: 2 },
    { kind: 'feeder that keeps its stake', roles: ['feeder', 'fed'], wanted: 1 },
    { kind: 'quiet pair, one match of five', roles: ['quiet', 'quiet'], wanted: 1 },
    { kind: 'script with perfect aim', roles: ['aim'], wanted: 1 },
    { kind: 'script with human noise', roles: ['noise'], wanted: 1 },
    { kind: 'whole-map sight', roles: ['sight'], wanted: 1 },
    { kind: 'one hand, two windows', roles: ['window', 'window'], wanted: 1 },
    { kind: 'framing a victim', roles: ['framer', 'victim'], wanted: 1 },
  ];

export const KIND_NAMES = KINDS.map(({ kind }) => kind);
/** Guilty of nothing: the victim is there to be spared by the detection. */
const INNOCENT: readonly Role[] = ['honest', 'victim'];

export type Cast = { readonly groups: readonly Group[]; readonly honest: readonly Account[] };

export function castOf(seed: number, honestCount: number): Cast {
  const random = createRandom(numberedKey(7_000_000 + seed));
  const account = (name: string, role: Role): Account => ({
    name,
    role,
    mood: { temperament: pick(random, ['grazer', 'hunter', 'gambler']), alarmTick: 0 },
    hand: newHand(random),
    thinkTicks: 4 + randomBelow(random, 3),
  });
  return {
    groups: KINDS.map(({ kind, roles, wanted }) => ({
      kind,
      wanted,
      accounts: roles.map((role, index) => account(`${kind} ${index}`, role)),
    })),
    honest: Array.from({ length: honestCount }, (_, index) => account(`honest ${index}`, 'honest')),
  };
}

export function isInnocent({ role }: Account): boolean {
  return INNOCENT.includes(role);
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: randomBetween(random, 0, 1) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[randomBelow(random, items.length)]!;
}
