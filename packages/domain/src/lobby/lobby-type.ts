import { type BaseUnits, formatExactAmount, type Token } from '../money/amount.ts';

export const LOBBY_TYPES = ['free', 'normal', 'semi-private'] as const;
export type LobbyType = (typeof LOBBY_TYPES)[number];

export const LOBBY_DEFAULTS = { lobbyType: 'free', maxPlayers: 10 } as const satisfies {
  lobbyType: LobbyType;
  maxPlayers: number;
};

/** A lobby in the menu counts as offline when it has been silent for longer than this. */
export const LOBBY_LIVENESS = { offlineAfterMs: 5_000, checkEveryMs: 2_000 } as const;

export type LobbySeats = { readonly current: number; readonly max: number };

export function formatSeats({ current, max }: LobbySeats): string {
  return `${current}/${max}`;
}

/** Reads 'current/max'; a missing or senseless maximum is the default one. */
export function parseSeats(text: string): LobbySeats {
  const [current = '', max = ''] = text.split('/');
  return { current: wholeNumber(current) ?? 0, max: wholeNumber(max) || LOBBY_DEFAULTS.maxPlayers };
}

export function isLobbyFull({ current, max }: LobbySeats): boolean {
  return current >= max;
}

export function isLobbySilent(lastUpdateMs: number, nowMs: number): boolean {
  return nowMs - lastUpdateMs > LOBBY_LIVENESS.offlineAfterMs;
}

/** '0.1 SOL', or undefined for a lobby without a fee: a fee is shown only when there is one. */
export function entryFeeText(entryFee: BaseUnits, token: Token): string | undefined {
  return entryFee > 0n ? `${formatExactAmount(entryFee, token)} ${token.symbol}` : undefined;
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}
