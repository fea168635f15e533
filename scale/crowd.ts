import { setTimeout as sleep } from 'node:timers/promises';
import { openPage, type Page } from '@engulf/crash/page';
import { playOnce } from '@engulf/crash/player';
import type { Random } from '@engulf/crash/random';
import type { Lobby } from '@engulf/protocol/lobby';
import type { LobbyWatch } from './lobby-watch.ts';
import { NEAR, type ScaleWorld } from './world.ts';

/** People who play, for money and for nothing, until they are told to finish. */
export type Crowd = {
  readonly outcomes: ReadonlyMap<string, number>;
  /** How long each was away whose match moved, from the news to the next picture. */
  readonly returnsMs: readonly number[];
  /** How long each waited for a result. */
  readonly resultsMs: readonly number[];
  /** Everybody ends what was begun. */
  finish(withinMs: number): Promise<void>;
};

const VISIT_MS = [4_000, 15_000] as const;
/** Signing in costs a signature each, so they come one after another. */
const GROUP = 10;

export async function gatherCrowd(
  world: ScaleWorld,
  watch: LobbyWatch,
  { players, random, region = NEAR }: { players: number; random: Random; region?: string },
): Promise<Crowd> {
  const outcomes = new Map<string, number>();
  const [returnsMs, resultsMs]: number[][] = [[], []];
  const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  let isClosing = false;
  let stopAtMs = Number.POSITIVE_INFINITY;
  const isOver = () => Date.now() >= stopAtMs;
  const pages: Page[] = [];
  while (pages.length < players) {
    const names = Array.from({ length: Math.min(GROUP, players - pages.length) }, (_, at) => `player ${at}`);
    pages.push(...(await Promise.all(names.map((name) => openPage(world, name, isOver)))));
  }
  const playable = watch.lobbies().filter((lobby) => lobby.region === region && isPlayable(lobby));
  const forMoney = playable.filter(({ lobbyId }) => lobbyId !== null);
  const forFree = playable.filter(({ lobbyId }) => lobbyId === null);

  async function play(page: Page, lobbies: readonly Lobby[]): Promise<void> {
    let lobby = random.pick(lobbies);
    let isOpen = false;
    while (!isOver() && (!isClosing || isOpen)) {
      const outcome = await playOnce({
        page,
        others: [],
        lobbies: [lobby],
        roomUrl: ({ id, name }) => {
          const address = watch.find(id)?.baseGame;
          if (!address) throw new Error(`${name} has no address`);
          return address;
        },
        random,
        note: (_habit, outcome) => note(outcome),
        isOver,
        canWaitLong: false,
        visitMs: VISIT_MS,
        onReturned: (afterMs) => returnsMs!.push(afterMs),
        onResult: (afterMs) => resultsMs!.push(afterMs),
      }).catch((error: Error) => `cut off: ${error.message.slice(0, 60)}`);
      note(outcome);
      // A ticket that could not be used is used with the next attempt, in the same lobby.
      isOpen = outcome.startsWith('cut off');
      if (!isOpen) lobby = random.pick(lobbies);
      await sleep(random.between(100, 800));
    }
  }
  const playing = pages.map((page, index) =>
    play(page, index % 2 && forFree.length > 0 ? forFree : forMoney),
  );
  return {
    outcomes,
    returnsMs: returnsMs!,
    resultsMs: resultsMs!,
    finish: async (withinMs) => {
      isClosing = true;
      stopAtMs = Date.now() + withinMs;
      await Promise.all(playing);
    },
  };
}

function isPlayable({ tokenMint, lobbyType, dailyOpenWindows }: Lobby): boolean {
  return tokenMint === null && lobbyType !== 'semi-private' && dailyOpenWindows === undefined;
}
