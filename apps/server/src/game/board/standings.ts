import { formatAmount } from '@engulf/domain/money/amount';
import { rewardText } from '@engulf/domain/money/reward-text';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { ROOM_LEADERBOARD_ROWS } from '@engulf/protocol/room/server-messages';
import { type PlayerId, playerId } from '@engulf/sim/players';
import type { World } from '@engulf/sim/world';
import type { GameLobby } from '../ports.ts';

export type Standings = {
  readonly leaderboard: RoomServerPayload<'leaderboard'>;
  /** All the living, richest first. */
  readonly ranking: readonly { readonly player: PlayerId; readonly reward: string }[];
};

/**
 * Who carries how much. Equals stay in the order of their slots: ranked by mass they would change places all the
 * time, and the table would have to be sent every second.
 */
export function readStandings(
  world: World,
  lobby: GameLobby,
  nameOf: (player: PlayerId) => string,
): Standings {
  const { players } = world;
  const slots = livingSlots(world).sort(
    (a, b) => compareBounties(players.bounty[b]!, players.bounty[a]!) || a - b,
  );
  const ranking = slots.map((slot) => ({
    player: playerId(players, slot),
    reward: rewardText(players.bounty[slot]!, lobby.token, lobby.multiplierBasis),
  }));
  const pool = readPool(world);
  return {
    ranking,
    leaderboard: {
      leaderboard: ranking.slice(0, ROOM_LEADERBOARD_ROWS).map(({ player, reward }, index) => ({
        name: nameOf(player),
        reward,
        position: index + 1,
      })),
      totalPlayers: slots.length,
      poolTotal: pool.toString(),
      pool: formatAmount(pool, lobby.token),
    },
  };
}

/** All that is in play: what the living carry and what waits to be shared. */
export function readPool(world: World): bigint {
  return livingSlots(world).reduce((sum, slot) => sum + world.players.bounty[slot]!, world.money.spill);
}

function livingSlots({ players }: World): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < players.top; slot++) if (players.isAlive[slot]) slots.push(slot);
  return slots;
}

function compareBounties(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
