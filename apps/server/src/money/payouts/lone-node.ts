import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Context } from '../../platform/context.ts';

/** What one node says against others is believed after this time and so many looks; if the others are silent, after fewer. */
const DENIED = { forMs: 300_000, looks: 10 };
const UNDENIED = { forMs: 0, looks: 3 };
/** What one node alone says about the claims of a lobby, since when, and how often in a row it was or was not denied. */
const alone = new Map<LobbyId, Alone>();
type Alone = {
  readonly claim: string;
  readonly sinceMs: number;
  readonly isDenied: boolean;
  readonly looks: number;
};

/** Notes that one node alone says so. Whether it is believed by now. */
export function isBelievedAlone(
  { nowMs }: Pick<Context, 'nowMs'>,
  lobbyId: LobbyId,
  said: { readonly claim: string; readonly isDenied: boolean },
): boolean {
  const seen = lookAgain(alone.get(lobbyId), { ...said, nowMs: nowMs() });
  alone.set(lobbyId, seen);
  const { forMs, looks } = seen.isDenied ? DENIED : UNDENIED;
  return seen.looks > looks && nowMs() - seen.sinceMs >= forMs;
}

export function forgetAlone(lobbyId: LobbyId): void {
  alone.delete(lobbyId);
}

function lookAgain(
  before: Alone | undefined,
  { claim, isDenied, nowMs }: { claim: string; isDenied: boolean; nowMs: number },
): Alone {
  if (before?.claim !== claim) return { claim, sinceMs: nowMs, isDenied, looks: 1 };
  return { ...before, isDenied, looks: before.isDenied === isDenied ? before.looks + 1 : 1 };
}
