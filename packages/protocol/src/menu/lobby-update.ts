import { z } from 'zod';
import { baseUnitsSchema, countSchema, rowIdSchema } from '../wire-values.ts';

/** Sent every second for every live lobby; silence means that the lobby is offline. */
export const lobbyUpdateSchema = z.object({
  lobbyId: rowIdSchema,
  totalPlayers: countSchema,
  poolTotal: baseUnitsSchema,
  /** `poolTotal` for people. */
  pool: z.string(),
});

export type LobbyUpdate = z.infer<typeof lobbyUpdateSchema>;
