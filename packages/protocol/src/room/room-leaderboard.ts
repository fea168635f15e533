import { z } from 'zod';
import { baseUnitsSchema, countSchema, rankSchema } from '../wire-values.ts';

/** 'amount(xN)', made by the domain's `rewardText`. */
export const rewardSchema = z.string();

/** Everyone in the arena, and how many of them are bots. */
export const population = { totalPlayers: countSchema, totalBots: countSchema };

const pool = {
  poolTotal: baseUnitsSchema,
  /** `poolTotal` for people. */
  pool: z.string(),
};

export const roomLeaderboardSchema = z.object({
  leaderboard: z.array(z.object({ name: z.string(), reward: rewardSchema, position: rankSchema })),
  ...population,
  ...pool,
});

/** The index of a row in the list before, or an index or a name and a new reward. */
const rowChangeSchema = z.union([countSchema, z.tuple([z.union([countSchema, z.string()]), rewardSchema])]);

/** What makes the leaderboard of this second out of that of the last. */
export const leaderboardChangeSchema = z.object({
  /** Null while no row has changed. */
  rows: z.array(rowChangeSchema).nullable(),
  ...population,
  /** Missing while it is the same. */
  pool: z.object(pool).optional(),
});

export type RoomLeaderboard = z.infer<typeof roomLeaderboardSchema>;
export type LeaderboardChange = z.infer<typeof leaderboardChangeSchema>;

/** Undefined when nothing has changed. */
export function changeOfLeaderboard(
  before: RoomLeaderboard,
  after: RoomLeaderboard,
): LeaderboardChange | undefined {
  const rows = after.leaderboard.map((row) => changeOfRow(before, row));
  const hasSameRows = rows.length === before.leaderboard.length && rows.every((row, index) => row === index);
  const hasSamePool = after.poolTotal === before.poolTotal && after.pool === before.pool;
  const { totalPlayers, totalBots, poolTotal } = after;
  const hasSamePopulation = totalPlayers === before.totalPlayers && totalBots === before.totalBots;
  if (hasSameRows && hasSamePool && hasSamePopulation) return undefined;
  return {
    rows: hasSameRows ? null : rows,
    totalPlayers,
    totalBots,
    ...(hasSamePool ? {} : { pool: { poolTotal, pool: after.pool } }),
  };
}

/** Undefined for a change of another leaderboard. */
export function changeLeaderboard(
  before: RoomLeaderboard,
  { rows, totalPlayers, totalBots, pool: newPool }: LeaderboardChange,
): RoomLeaderboard | undefined {
  const known = before.leaderboard;
  const leaderboard: RoomLeaderboard['leaderboard'] = [];
  for (const [index, change] of (rows ?? known.map((_, place) => place)).entries()) {
    const [from, newReward] = typeof change === 'number' ? [change, undefined] : change;
    const name = typeof from === 'string' ? from : known[from]?.name;
    const reward = newReward ?? (typeof from === 'number' ? known[from]?.reward : undefined);
    if (name === undefined || reward === undefined) return undefined;
    leaderboard.push({ name, reward, position: index + 1 });
  }
  const { poolTotal, pool: poolText } = newPool ?? before;
  return { leaderboard, totalPlayers, totalBots, poolTotal, pool: poolText };
}

function changeOfRow(
  { leaderboard }: RoomLeaderboard,
  { name, reward }: RoomLeaderboard['leaderboard'][number],
): NonNullable<LeaderboardChange['rows']>[number] {
  const same = leaderboard.findIndex((row) => row.name === name && row.reward === reward);
  if (same >= 0) return same;
  const sameName = leaderboard.findIndex((row) => row.name === name);
  return [sameName >= 0 ? sameName : name, reward];
}
