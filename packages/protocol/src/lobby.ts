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
  isActive: z.boolean(),
  lastUpdate: timestampMsSchema,
});

export type Lobby = z.infer<typeof lobbySchema>;

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
});

export type LobbyUpdate = z.infer<typeof lobbyUpdateSchema>;
