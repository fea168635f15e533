import { LOBBY_TYPES } from '@engulf/domain/lobby/lobby-type';
import { z } from 'zod';
import { baseUnitsSchema, countSchema, rowIdSchema, timestampMsSchema } from './wire-values.ts';

/**
 * A lobby as the menu lists it. `lobbyId` is its number on the chain here only; in every other message it is
 * the lobby's `id`.
 */
export const lobbySchema = z.object({
  id: rowIdSchema,
  /** Null for a lobby that is not on the chain: a free one. */
  lobbyId: z.int().nonnegative().nullable(),
  name: z.string(),
  lobbyType: z.enum(LOBBY_TYPES),
  /** In whole tokens, exact: '0.05'; '0' when entry is free. */
  fee: z.string(),
  entryFee: baseUnitsSchema,
  tokenSymbol: z.string(),
  tokenDecimals: z.int().min(0).max(18),
  /** Null for SOL. */
  tokenMint: z.string().nullable(),
  isLocked: z.boolean(),
  /** Absent and empty differ: see the domain's opening hours. */
  dailyOpenWindows: z.array(z.object({ startUtc: z.string(), endUtc: z.string() })).optional(),
  /** Free lobbies: what an entry counts as, in micro-dollars. */
  freeLobbyEntryUsd: baseUnitsSchema.optional(),
  /** 'current/max' */
  players: z.string().regex(/^\d+\/\d+$/),
  /** People only. */
  currentPlayers: countSchema,
  currentBots: countSchema,
  /** For people, in whole tokens (dollars in a free lobby). `TVL` is what the arena calls it. */
  pool: z.string(),
  TVL: z.string(),
  poolAmount: baseUnitsSchema,
  /** The hosts of this lobby's calls and room; null means the host that sent the list. */
  baseApi: z.string().nullable(),
  baseGame: z.string().nullable(),
  region: z.string().nullable(),
  /** Paid lobbies: how many have to gather before they are called to pay. */
  gatherSize: countSchema.default(2),
  isActive: z.boolean(),
  lastUpdate: timestampMsSchema,
});

export type Lobby = z.infer<typeof lobbySchema>;

const gatheringSchema = z.object({
  count: countSchema,
  /** The first of them. */
  people: z.array(z.object({ name: z.string(), avatarUrl: z.string().nullable() })),
  /** They were called and have their half minute to pay. */
  isCalled: z.boolean(),
});

export type Gathering = z.infer<typeof gatheringSchema>;

/** Sent every second for a live lobby that changed, every other second for all; without it the lobby counts as offline. */
export const lobbyUpdateSchema = z.object({
  lobbyId: rowIdSchema,
  /** People only. */
  totalPlayers: countSchema,
  totalBots: countSchema,
  poolTotal: baseUnitsSchema,
  /** `poolTotal` for people. */
  pool: z.string(),
  /** Where its room is now. */
  baseGame: z.string().nullable(),
  /** Who waits for a game to begin, first come first. Absent if nobody does. */
  gathering: gatheringSchema.optional(),
  /** What the menu shows of a free arena: its largest cells, five numbers each: id, x, y, radius, colour. */
  sketch: z.array(z.int()).max(500).optional(),
});

export type LobbyUpdate = z.infer<typeof lobbyUpdateSchema>;
