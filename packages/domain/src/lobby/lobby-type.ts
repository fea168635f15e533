import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';
import { type BaseUnits, formatExactAmount, type Token } from '../money/amount.ts';

export const LOBBY_TYPES = ['free', 'normal', 'semi-private'] as const;
export type LobbyType = (typeof LOBBY_TYPES)[number];

export const LOBBY_CODE_LENGTH = { min: 3, max: 6 } as const;
const DEFAULT_MAX_PLAYERS = 10;

/** A lobby in the menu counts as offline when it has been silent for longer than this. */
export const LOBBY_LIVENESS = { offlineAfterMs: 5_000, checkEveryMs: 2_000 } as const;

export type LobbySeats = { readonly current: number; readonly max: number };

export function formatSeats({ current, max }: LobbySeats): string {
  return `${current}/${max}`;
}

/** Parses 'current/max'; a missing or invalid maximum becomes the default. */
export function parseSeats(text: string): LobbySeats {
  const [current = '', max = ''] = text.split('/');
  return { current: wholeNumber(current) ?? 0, max: wholeNumber(max) || DEFAULT_MAX_PLAYERS };
}

export function isLobbyFull({ current, max }: LobbySeats): boolean {
  return current >= max;
}

export function isLobbySilent(lastUpdateMs: number, nowMs: number): boolean {
  return nowMs - lastUpdateMs > LOBBY_LIVENESS.offlineAfterMs;
}

/** '0.1 SOL', or undefined for a lobby without a fee. */
export function entryFeeText(entryFee: BaseUnits, token: Token): string | undefined {
  return entryFee > 0n ? `${formatExactAmount(entryFee, token)} ${token.symbol}` : undefined;
}

/**
 * The code to enter this type of lobby with; undefined where none is needed, even if one was typed. A code of
 * the wrong length is refused like a wrong code.
 */
export function validateLobbyCode(
  lobbyType: LobbyType,
  text: string | undefined,
): Result<string | undefined, Failure<'INVALID_LOBBY_CODE'>> {
  if (lobbyType !== 'semi-private') return ok(undefined);
  const code = text?.trim() ?? '';
  if (code.length < LOBBY_CODE_LENGTH.min || code.length > LOBBY_CODE_LENGTH.max) {
    return refuse('INVALID_LOBBY_CODE');
  }
  return ok(code);
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}
