import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { appendLatest, LIVE_FEED_LENGTH } from '@engulf/protocol/room/server-messages';
import type { RoomEvent } from '../net/room-event.ts';
import type { FeedLine, GameEnd, HudState } from './hud-state.ts';
import { pickKillWord } from './kill-banner-timing.ts';

/** Who is looking, and a die for the kill words. */
export type HudContext = { readonly ownName: string; readonly random: () => number };

/** What an event of the room changes in the panels. */
export function hudAfter(state: HudState, event: RoomEvent, context: HudContext): Partial<HudState> {
  switch (event.type) {
    case 'leaderboard': {
      const { leaderboard, totalPlayers, pool } = event.payload;
      return { leaderboard, totalPlayers, pool };
    }
    case 'personalRank':
      return { ownRank: event.payload };
    case 'playerJoin':
    case 'playerDisconnect':
      return { totalPlayers: event.payload.totalPlayers };
    case 'liveUpdate':
      return { feed: withLine(state, event.payload, context.ownName) };
    case 'KO': {
      const { victim, reward } = event.payload;
      const { amount } = parseRewardText(reward);
      const id = (state.kill?.id ?? 0) + 1;
      return { kill: { id, word: pickKillWord(context.random()), victim, amount } };
    }
    case 'gameOver':
      return {
        end: endOf(state, event.payload, context.ownName),
        ownRank: undefined,
        countdown: undefined,
        kill: undefined,
      };
    default:
      return {};
  }
}

function withLine(
  { feed }: HudState,
  update: RoomServerPayload<'liveUpdate'>,
  ownName: string,
): readonly FeedLine[] {
  const id = (feed[0]?.id ?? 0) + 1;
  const line: FeedLine = { ...update, id, isOwn: isAbout(update, ownName) };
  return appendLatest(feed.toReversed(), line, LIVE_FEED_LENGTH).toReversed();
}

function isAbout(update: RoomServerPayload<'liveUpdate'>, name: string): boolean {
  if (update.type === 'kill') return update.killerName === name || update.victimName === name;
  return 'playerName' in update && update.playerName === name;
}

function endOf(state: HudState, over: RoomServerPayload<'gameOver'>, ownName: string): GameEnd {
  const { reward, usdValue, finalMass } = over.stats;
  switch (over.cause) {
    case 'portal':
    case 'closed':
      return { kind: 'secured', wasClosed: over.cause === 'closed', reward, usdValue, finalMass };
    case 'disconnected':
    case 'fault':
      return { kind: 'disconnected' };
    default: {
      const last = state.feed.find((line) => line.type === 'kill' && line.victimName === ownName);
      const eatenBy = last?.type === 'kill' ? last.killerName : undefined;
      const bagLost = state.ownRank && parseRewardText(state.ownRank.reward).amount;
      return { kind: 'rekt', eatenBy, bagLost, finalMass };
    }
  }
}
