import { describeFailure } from '@engulf/domain/errors/registry';
import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { LiveUpdate } from '@engulf/protocol/room/server-messages';
import { appendLatest, LIVE_FEED_LENGTH } from '@engulf/protocol/room/server-messages';
import type { Face } from '../model/frame/face.ts';
import type { ArenaEvent, ArenaEvents } from '../net/events.ts';
import type { FeedLine, HudState, HudStore } from './hud-store.ts';

type Viewer = {
  readonly ownName: string;
  readonly random: () => number;
  /** Who has eaten the player since the page was loaded, and not been eaten back. */
  readonly grudges: Set<string>;
  /** What somebody in the arena looks like. */
  readonly faceOf: (name: string) => Face | undefined;
};

/** Keeps the HUD up to date with the arena's events. Returns a function that stops. */
export function fillHud(hud: HudStore, events: ArenaEvents, viewer: Viewer): () => void {
  return events.subscribe((event) => {
    const change = hudChange(hud.getState(), event, viewer);
    if (change) hud.setState(change);
  });
}

/** Undefined if the event does not concern the panels. */
function hudChange(state: HudState, event: ArenaEvent, viewer: Viewer): Partial<HudState> | undefined {
  switch (event.type) {
    case 'joined':
      return { isJoined: true };
    case 'joinFailed': {
      const { title, text } = describeFailure(event.failure);
      return { phase: 'failed', failure: { title, text } };
    }
    case 'following':
      return { following: event.name };
    case 'connectionMeasured':
      return { connection: event.metrics };
    case 'countdown':
      return { countdown: event.countdown };
    case 'disconnected':
      return { countdown: undefined };
    case 'leaderboard': {
      const { leaderboard, totalPlayers, totalBots, pool } = event.payload;
      return { leaderboard, totalPlayers, totalBots, pool };
    }
    case 'personalRank':
      return { ownRank: event.payload };
    case 'playerJoin':
    case 'playerDisconnect':
      return { totalPlayers: event.payload.totalPlayers, totalBots: event.payload.totalBots };
    case 'liveUpdate':
      return {
        feed: event.payload.reduce((feed, line) => withLine(feed, line, viewer.ownName), state.feed),
      };
    case 'KO': {
      const { victim, reward } = event.payload;
      const id = (state.kill?.id ?? 0) + 1;
      const { amount } = parseRewardText(reward);
      const word = pickKillWord(viewer.random(), viewer.grudges.delete(victim));
      return { kill: { id, ...word, victim, amount, face: viewer.faceOf(victim) } };
    }
    case 'gameOver':
      if (event.payload.killer !== null) viewer.grudges.add(event.payload.killer);
      return { ownRank: undefined, countdown: undefined, kill: undefined };
  }
  return undefined;
}

function withLine(feed: readonly FeedLine[], update: LiveUpdate, ownName: string): readonly FeedLine[] {
  // The room sends its feed again after a new join.
  if (feed.some((line) => isSame(line, update))) return feed;
  const id = (feed[0]?.id ?? 0) + 1;
  const line: FeedLine = { ...update, id, isOwn: isAbout(update, ownName) };
  return appendLatest(feed.toReversed(), line, LIVE_FEED_LENGTH).toReversed();
}

function isSame(line: LiveUpdate, update: LiveUpdate): boolean {
  return line.timestamp === update.timestamp && line.type === update.type && whoIn(line) === whoIn(update);
}

function whoIn(update: LiveUpdate): string {
  if (update.type === 'kill') return `${update.killerName} ${update.victimName}`;
  return 'playerName' in update ? update.playerName : '';
}

function isAbout(update: LiveUpdate, name: string): boolean {
  if (update.type === 'kill') return update.killerName === name || update.victimName === name;
  return 'playerName' in update && update.playerName === name;
}

/** The words of the kill banner, each with its colour token. */
export const KILL_WORDS = [
  { word: 'ANNIHILATED', colour: 'kw-annihilated' },
  { word: 'TERMINATED', colour: 'kw-terminated' },
  { word: 'OBLITERATED', colour: 'kw-obliterated' },
  { word: 'DEMOLISHED', colour: 'kw-demolished' },
  { word: 'BLOODBATH', colour: 'kw-bloodbath' },
  { word: 'K.O', colour: 'kw-ko' },
  { word: 'CYBERWIPE', colour: 'kw-cyberwipe' },
  { word: 'FATALITY', colour: 'kw-fatality' },
  { word: 'RAMPAGE', colour: 'kw-rampage' },
  { word: 'BRUTALITY', colour: 'kw-brutality' },
  { word: 'REVENGE', colour: 'kw-revenge' },
  { word: 'ROBBED', colour: 'kw-robbed' },
] as const;

type KillWord = (typeof KILL_WORDS)[number];
const REVENGE: KillWord = { word: 'REVENGE', colour: 'kw-revenge' };
const OTHER_WORDS = KILL_WORDS.filter(({ word }) => word !== REVENGE.word);

/** `random` is in [0, 1). Revenge is only what is one. */
export function pickKillWord(random: number, isRevenge: boolean): KillWord {
  if (isRevenge) return REVENGE;
  const index = Math.floor(random * OTHER_WORDS.length);
  return OTHER_WORDS[Math.min(OTHER_WORDS.length - 1, Math.max(0, index))]!;
}
