import { setTimeout as sleep } from 'node:timers/promises';
import { rejoinMatch } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import type { Body, Page } from './page.ts';
import type { Random } from './random.ts';
import { type Leaving, type VisitWatch, visit } from './visit.ts';

const FOLLOW_MS = 9_000;
const FOLLOW_EVERY_MS = 300;
/** As the page does. */
const OPENING_MS = 200;

/** What players do, and how often. */
const HABITS = [
  ['play', 10],
  ['payTwice', 2],
  ['payAndVanish', 2],
  ['reportFailureAndPay', 1],
  ['claimWithoutSignature', 1],
  ["useAnother'sSignature", 2],
  ['payLate', 1],
  ['neverPay', 1],
] as const;
export type Habit = (typeof HABITS)[number][0];

export type PlayerDeps = {
  readonly page: Page;
  /** Where the lobby's room is. */
  readonly roomUrl: (lobby: Lobby) => Promise<string> | string;
  readonly others: readonly Page[];
  readonly lobbies: readonly Lobby[];
  readonly random: Random;
  readonly note: (habit: Habit, outcome: string) => void;
  readonly isOver: () => boolean;
  /** Time for somebody who pays after the seat was given up. */
  readonly canWaitLong: boolean;
  /** How long somebody plays who neither dies nor finds a portal. */
  readonly visitMs?: readonly [min: number, max: number];
  readonly watch?: VisitWatch | undefined;
  /** Called when a player is back in a match that moved. */
  readonly onReturned?: (afterMs: number) => void;
  readonly onResult?: (afterMs: number) => void;
};

export async function playUntilOver(deps: PlayerDeps): Promise<void> {
  const choices = HABITS.flatMap(([habit, weight]) => Array<Habit>(weight).fill(habit));
  while (!deps.isOver()) {
    const habit = deps.random.pick(choices);
    if (habit === 'payLate' && !deps.canWaitLong) continue;
    try {
      deps.note(habit, await follow(habit, deps));
    } catch (error) {
      deps.note(habit, `cut off: ${(error as Error).message.slice(0, 60)}`);
    }
    await sleep(deps.random.between(100, 1_500));
  }
}

/** Pays and plays once, as honest players do. */
export function playOnce(deps: PlayerDeps): Promise<string> {
  return follow('play', deps);
}

async function follow(habit: Habit, deps: PlayerDeps): Promise<string> {
  const { page, random, isOver } = deps;
  const lobby = random.pick(deps.lobbies);
  const seat = await takeSeat(page, lobby, isOver);
  if (seat.status === 'ticketSent') return enter(deps, lobby, seat.joinTicket);
  if (seat.status === 'payment_processing') return verify(deps, lobby, seat.paymentSessionId);
  if (seat.status !== 'created') return `refused: ${seat.error}`;

  if (habit === 'neverPay') return 'left';
  if (habit === 'payLate') await sleep(random.between(121_000, 135_000));
  if (habit === 'reportFailureAndPay') await report(page, lobby);
  if (habit === "useAnother'sSignature") {
    const stolen = random.pick(deps.others).signatures.at(-1);
    const claimed = stolen && (await claim(page, lobby, stolen));
    if (claimed?.status === 'payment_processing') await verify(deps, lobby, claimed.paymentSessionId);
    return 'stole';
  }
  const signature = await page.pay(lobby);
  if (habit === 'payAndVanish') return 'vanished';
  if (habit === 'payTwice') await page.pay(lobby);
  const claimed = await claim(page, lobby, habit === 'claimWithoutSignature' ? 'True' : signature);
  if (claimed.status === 'ticketSent') return enter(deps, lobby, claimed.joinTicket);
  if (claimed.status !== 'payment_processing') return `claim refused: ${claimed.error}`;
  return verify(deps, lobby, claimed.paymentSessionId);
}

/** Waits for an earlier entry to end: only one is allowed at a time. */
async function takeSeat(page: Page, lobby: Lobby, isOver: () => boolean): Promise<Body> {
  for (;;) {
    const seat = await page.call('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: lobby.id });
    if (seat.httpStatus === 200 || isOver()) return seat;
    await sleep(500);
    const isConflict = seat.sessionTTL !== undefined;
    if (!isConflict && !['LOBBY_OFFLINE', 'LOBBY_FULL', 'INTERNAL_ERROR'].includes(seat.error)) return seat;
    if (isConflict && lobby.id !== seat.lobbyId) return { error: 'elsewhere' };
  }
}

function claim(page: Page, lobby: Lobby, transactionHash: string): Promise<Body> {
  const body = { selectedLobbyId: lobby.id, transactionHash, isPaymentConfirmation: true };
  return page.call('POST', '/api/serverBrowser/join-lobby', body);
}

function report(page: Page, lobby: Lobby): Promise<Body> {
  return page.call('POST', '/api/serverBrowser/payment-failure', { lobbyId: lobby.id });
}

async function verify(deps: PlayerDeps, lobby: Lobby, paymentSessionId: string): Promise<string> {
  while (!deps.isOver()) {
    const path = `/api/payment/payment-status?paymentSessionId=${paymentSessionId}`;
    const answer = await deps.page.call('GET', path);
    if (answer.status === 'ticketSent') return enter(deps, lobby, answer.joinTicket);
    if (answer.status !== 'payment_processing') return `payment: ${answer.status ?? answer.error}`;
    await sleep(500);
  }
  return 'over';
}

type Seat = { readonly joinTicket: string; readonly baseGame: string | null };

/** Follows a match that moves, as the page does. */
async function enter(deps: PlayerDeps, lobby: Lobby, joinTicket: string): Promise<string> {
  const { random, visitMs = [6_000, 25_000] } = deps;
  const leaving = random.pick<Leaving>(['portal', 'portal', 'portal', 'forfeit', 'drop']);
  const { watch } = deps;
  const endsAtMs = Date.now() + random.between(...visitMs);
  let seat: Seat = { joinTicket, baseGame: null };
  let movedAtMs = Number.NEGATIVE_INFINITY;
  const onShown = () => {
    if (seat.baseGame !== null) deps.onReturned?.(performance.now() - movedAtMs);
  };
  for (;;) {
    try {
      const url = seat.baseGame ?? (await deps.roomUrl(lobby));
      const maxMs = Math.max(0, endsAtMs - Date.now());
      const outcome = await visit(url, lobby.id, seat.joinTicket, {
        leaving,
        maxMs,
        random,
        inputsKeys: deps.page.inputsKeys,
        watch,
        onShown,
        onResult: deps.onResult,
      });
      if (typeof outcome === 'string') return outcome;
      movedAtMs = performance.now();
      if (outcome.joinTicket !== undefined) {
        seat = { joinTicket: outcome.joinTicket, baseGame: outcome.baseGame ?? null };
        continue;
      }
    } catch (error) {
      // The room opens in a moment; for so long the body waits.
      if (performance.now() - movedAtMs > FOLLOW_MS) throw error;
      const isOpening = (error as Error).message === 'LOBBY_OFFLINE';
      await sleep(isOpening ? OPENING_MS : FOLLOW_EVERY_MS);
      if (isOpening) continue;
    }
    const answer = await deps.page.call('POST', rejoinMatch.path, {});
    if (answer.status !== 'ticketSent') return `moved, then ${answer.error}`;
    seat = answer as Seat;
  }
}
