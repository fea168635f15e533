import { ERRORS } from '@engulf/domain/errors/registry';
import { isLobbyFull, parseSeats, validateLobbyCode } from '@engulf/domain/lobby/lobby-type';
import { closedText, nextWindow } from '@engulf/domain/lobby/opening-hours';
import type { Lobby } from '@engulf/protocol/lobby';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { localTimeText, spanText } from '../../shared/format.ts';
import { isFreeLobby } from '../../shared/lobby-money.ts';
import { TEXT } from '../../shared/text.ts';
import type { EntryProgress } from './entry-flow.ts';

export type EntryState = {
  readonly title: string;
  readonly mainLabel: string;
  readonly isMainEnabled: boolean;
  readonly isBusy: boolean;
  /** Busy, but nothing has been paid yet. */
  readonly isCancellable: boolean;
  /** Busy, and the outcome is still open. */
  readonly isWaiting: boolean;
  /** Why nobody can enter now. */
  readonly obstacle?: { readonly text: string; readonly detail?: string | undefined } | undefined;
};

/** The texts and buttons of the popup, from the lobby's state and the progress of the entry. */
export function entryState(
  lobby: Lobby,
  {
    players,
    lobbyCode,
    progress,
    isRemoved = false,
    nowMs,
  }: {
    readonly players: number;
    readonly lobbyCode: string;
    readonly progress: EntryProgress | undefined;
    readonly isRemoved?: boolean;
    readonly nowMs: number;
  },
): EntryState {
  const idle = { isBusy: false, isCancellable: false, isWaiting: false };
  const mainLabel = isFreeLobby(lobby) ? TEXT.entry.playNow : TEXT.entry.payAndPlay;
  if (progress) {
    return {
      title: TEXT.entry.titles.waiting,
      mainLabel: TEXT.entry.progress[progress.step],
      isMainEnabled: false,
      isBusy: true,
      isCancellable: progress.step === 'paying' && progress.signature === undefined,
      isWaiting: progress.step !== 'timedOut' && progress.step !== 'failed',
    };
  }
  if (isRemoved) {
    const obstacle = { text: TEXT.entry.removedNote };
    return { title: TEXT.entry.titles.closed, mainLabel, ...idle, isMainEnabled: false, obstacle };
  }
  if (isLobbyFull({ current: players, max: parseSeats(lobby.players).max })) {
    const obstacle = { text: TEXT.entry.fullNote };
    return { title: TEXT.entry.titles.full, mainLabel, ...idle, isMainEnabled: false, obstacle };
  }
  const closed = closedText(lobby, nowMs);
  if (closed !== undefined) {
    const obstacle = { text: closed, detail: opensInText(lobby, nowMs) };
    return { title: TEXT.entry.titles.closed, mainLabel, ...idle, isMainEnabled: false, obstacle };
  }
  const isMainEnabled = validateLobbyCode(lobby.lobbyType, lobbyCode).ok;
  return { title: TEXT.entry.titles.confirm, mainLabel, ...idle, isMainEnabled };
}

function opensInText(lobby: Lobby, nowMs: number): string | undefined {
  const next = lobby.isLocked ? undefined : nextWindow(lobby, nowMs);
  return next && TEXT.entry.opensIn(spanText(next.startMs - nowMs), localTimeText(next.startMs));
}

const STEPS = ['creating', 'paying', 'confirming', 'verifying', 'joining'] as const;
type Step = (typeof STEPS)[number];

export type EntryStep = {
  readonly key: Step;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly state: 'done' | 'running' | 'ahead' | 'failed';
};

/** The five steps of a paid entry. Once there is a signature, the wallet's step is done. */
export function entrySteps(
  progress: EntryProgress,
  shortSignature: string | undefined,
): readonly EntryStep[] {
  const isOver = progress.step === 'timedOut' || progress.step === 'failed';
  const running = runningStep(progress);
  return STEPS.map((key, index) => {
    const at = STEPS.indexOf(running);
    const state = index < at ? 'done' : index > at ? 'ahead' : isOver ? 'failed' : 'running';
    const [labelAhead, labelDone] = TEXT.entry.steps[key];
    return { key, state, label: state === 'done' ? labelDone : labelAhead, detail: detailOf(key, state) };
  });

  function detailOf(key: Step, state: EntryStep['state']): string | undefined {
    if (key === 'paying' && shortSignature !== undefined) return TEXT.entry.signature(shortSignature);
    if (key === 'paying' && state === 'running') return TEXT.entry.signInWallet;
    if (key === 'verifying' && state === 'running') return TEXT.entry.verificationNote;
    if (key === 'verifying' && isOver) return TEXT.entry.progress[progress.step];
    return undefined;
  }
}

function runningStep(progress: EntryProgress): Step {
  if (progress.step === 'timedOut' || progress.step === 'failed') return 'verifying';
  if (progress.step === 'paying' && progress.signature !== undefined) return 'confirming';
  return progress.step;
}

/** The heading of the popup that a second entry of the same user meets. */
export function sessionConflictTitle(
  conflict: Pick<SessionConflict, 'isPaymentSession' | 'isDisconnected'>,
): string {
  if (conflict.isDisconnected) return TEXT.conflict.disconnected;
  return conflict.isPaymentSession ? ERRORS.SESSION_CONFLICT.title : ERRORS.ACTIVE_SESSION_EXISTS.title;
}
