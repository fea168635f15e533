import { z } from 'zod';
import { countSchema } from '../wire-values.ts';

/*
 * The state of the arena. Text clients get it as these objects; for compact ones the netcode's bytes follow the number of
 * the message.
 */

const id = countSchema;
const place = { x: z.number().describe('World units'), y: z.number().describe('World units') };
const circle = { ...place, radius: z.number().describe('World units') };
const colour = { hue: z.int().min(0).max(360), color: z.string().describe('hsl(hue, 100%, 60%)') };

const cell = z.object({ id, ...circle, mass: z.number(), isPrimary: z.boolean().describe('The largest') });

const player = z.object({
  id,
  name: z.string(),
  ...place,
  massTotal: z.number(),
  ...colour,
  admin: z.boolean(),
  avatarUrl: z.string().nullable(),
  reward: z.string().describe('amount(xN): the bounty in whole tokens, and as a multiple of the entry fee'),
  isInvulnerable: z.boolean(),
  invulnerabilityTimeRemaining: z.number().describe('Seconds'),
  cells: z.array(cell),
});
const food = z.object({
  id,
  ...circle,
  mass: z.number(),
  m: z.number().describe('The mass again, by its short name'),
  c: z.int().describe('The colour, 0 to 19'),
});
const massFood = z.object({
  id,
  ...circle,
  mass: z.number(),
  ...colour,
  playerId: id.nullable().describe('Who ejected it'),
});
const virus = z.object({ id, ...circle });
const portal = z.object({
  id,
  ...circle,
  state: z.enum(['warning', 'active', 'disappearing', 'hidden']),
  timer: z.number().describe('Milliseconds until the next state'),
  maxTimer: z.number().describe('Milliseconds that a portal is active'),
});

const always = {
  player: player.nullable().describe('The reader; null for a spectator, and without a body'),
  allPortals: z.array(portal).describe('Wherever they are'),
  portalTiming: z.object({
    waveActive: z.boolean(),
    inWarningPhase: z.boolean(),
    timeUntilNextWave: z.number().describe('Milliseconds'),
  }),
  tide: z
    .object({
      size: z.number().describe('World units along one side'),
      goal: z.number().describe('The size that it is heading for'),
      near: z
        .number()
        .describe('The least coordinate that is dry; the greatest is as far from the other side'),
    })
    .describe('The part of the world that is not under water: a square around its middle'),
};
const inView = { players: player, food, massFood, viruses: virus, portals: portal };

function mapKinds<Value extends z.ZodType>(toSchema: (entity: z.ZodObject) => Value) {
  return Object.fromEntries(Object.entries(inView).map(([kind, entity]) => [kind, toSchema(entity)])) as {
    [Kind in keyof typeof inView]: Value;
  };
}

const full = z.object({ ...always, ...mapKinds((entity) => z.array(entity)) });
const delta = z.object({
  ...always,
  ...mapKinds((entity) => z.object({ add: z.array(entity), update: z.array(entity), remove: z.array(id) })),
});

export type StateMessageType =
  | 'deltaUpdate'
  | 'gameUpdate'
  | 'spectatorDeltaUpdate'
  | 'spectatorFullUpdate'
  | 'spectatorUpdate';

const DELTA = 'What has changed since the message before. Apply each group in the order remove, update, add.';

export const ROOM_STATE_MESSAGES = {
  deltaUpdate: { number: 0, payload: delta.describe(`${DELTA} If you cannot, ask for a fullUpdate.`) },
  gameUpdate: { number: 1, payload: full.describe('Everything that the player can see.') },
  spectatorDeltaUpdate: { number: 2, payload: delta.describe(DELTA) },
  spectatorFullUpdate: { number: 3, payload: full.describe('The whole arena, to a spectator who asked.') },
  spectatorUpdate: { number: 4, payload: full.describe('The whole arena, because another spectator asked.') },
} as const satisfies { readonly [Type in StateMessageType]: { number: number; payload: z.ZodType } };

/** Which of them means what. */
export const STATE_MESSAGES = {
  player: { full: 'gameUpdate', delta: 'deltaUpdate' },
  /** `update` is a snapshot that other spectators asked for, sent to those who are in sync. */
  spectator: { full: 'spectatorFullUpdate', update: 'spectatorUpdate', delta: 'spectatorDeltaUpdate' },
} as const;
