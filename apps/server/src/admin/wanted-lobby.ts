import { readMint } from '@engulf/chain/admin/lobby-admin';
import type { WalletAddress } from '@engulf/domain/ids/entity-ids';
import { LOBBY_CODE_LENGTH, LOBBY_TYPES } from '@engulf/domain/lobby/lobby-type';
import { isRegionName } from '@engulf/domain/lobby/region';
import { SOL, type Token, USD } from '@engulf/domain/money/amount';
import { address } from '@solana/kit';
import { livingRegions } from '../lobbies/lease.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type AdminContext, Refusal, UsageError, type Values } from './command.ts';
import {
  amountOf,
  neededText,
  oneOf,
  optionalText,
  textList,
  walletOf,
  wholeNumber,
  windowOf,
} from './read-values.ts';

/** A lobby as an operator describes it, before it has an id. */
export type WantedLobby = Pick<
  LobbyRow,
  | 'name'
  | 'lobbyType'
  | 'tokenSymbol'
  | 'tokenDecimals'
  | 'tokenMint'
  | 'entryFee'
  | 'freeLobbyEntryUsd'
  | 'maxPlayers'
  | 'botCount'
  | 'maxEntriesPerUser'
  | 'dailyOpenWindows'
  | 'lobbyCode'
  | 'region'
  | 'gatherSize'
>;

export async function readWantedLobby(
  admin: AdminContext,
  name: string,
  values: Values,
): Promise<WantedLobby> {
  if (!/^\S.{1,22}\S$/.test(name))
    throw new UsageError(`The name must have 3 to 24 characters, not "${name}".`);
  const lobbyType = oneOf(neededText(values, 'type'), LOBBY_TYPES, '--type');
  const limit = optionalText(values, 'entries-per-user');
  const windows = textList(values, 'window').map(windowOf);
  const maxPlayers = wholeNumber(optionalText(values, 'seats') ?? '10', '--seats', { min: 2, max: 100 });
  const shared = {
    name,
    lobbyType,
    maxPlayers,
    maxEntriesPerUser:
      limit === undefined ? null : wholeNumber(limit, '--entries-per-user', { min: 1, max: 1_000_000 }),
    // An empty list means always open; a semi-private lobby without a list would be closed.
    dailyOpenWindows: windows.length > 0 || lobbyType === 'semi-private' ? windows : null,
    lobbyCode: lobbyType === 'semi-private' ? lobbyCodeOf(neededText(values, 'code')) : null,
    region: regionOf(optionalText(values, 'region')),
    gatherSize: gatherSizeOf(optionalText(values, 'gather') ?? '2', maxPlayers),
  };
  if (lobbyType !== 'semi-private') refuseOptions(values, ['code'], 'semi-private lobbies');
  if (lobbyType === 'free') {
    refuseOptions(values, ['price', 'mint', 'symbol', 'id', 'gather'], 'lobbies that cost something');
    const botCount = wholeNumber(optionalText(values, 'bots') ?? '0', '--bots', {
      min: 0,
      max: shared.maxPlayers,
    });
    const freeLobbyEntryUsd = amountOf(optionalText(values, 'usd') ?? '1', USD, '--usd');
    const token = { tokenSymbol: USD.symbol, tokenDecimals: USD.decimals, tokenMint: null };
    return { ...shared, ...token, entryFee: 0n, freeLobbyEntryUsd, botCount };
  }
  refuseOptions(values, ['bots', 'usd'], 'free lobbies');
  const token = await readToken(admin, values);
  const entryFee = amountOf(neededText(values, 'price'), token, '--price');
  return {
    ...shared,
    tokenSymbol: token.symbol,
    tokenDecimals: token.decimals,
    tokenMint: token.mint,
    entryFee,
    freeLobbyEntryUsd: null,
    botCount: 0,
  };
}

/** More than half of the seats are never held for people who gather. */
export function gatherSizeOf(text: string, maxPlayers: number): number {
  return wholeNumber(text, '--gather', { min: 2, max: Math.max(2, Math.floor(maxPlayers / 2)) });
}

export function regionOf(text: string | undefined): string | null {
  if (text === undefined || isRegionName(text)) return text ?? null;
  throw new UsageError(`A region has 1 to 24 letters, digits, spaces and dashes, not "${text}".`);
}

/** A misspelt region would leave its lobby without a room. */
export async function unknownRegion(db: Database, region: string | null): Promise<string | undefined> {
  const living = await livingRegions({ db });
  if (region === null || living.size === 0 || living.has(region) || living.has(null)) return undefined;
  return `no game process is in ${region} now, only in ${[...living].join(', ')}: the lobby has no room until one is`;
}

export function lobbyCodeOf(text: string): string {
  const { min, max } = LOBBY_CODE_LENGTH;
  if (new RegExp(`^[A-Za-z0-9]{${min},${max}}$`).test(text)) return text.toUpperCase();
  throw new UsageError(`A lobby code has ${min} to ${max} letters and digits, not "${text}".`);
}

function refuseOptions(values: Values, names: readonly string[], whom: string): void {
  const given = names.find((name) => values[name] !== undefined);
  if (given) throw new UsageError(`--${given} is for ${whom}.`);
}

/** Has the limits of SOL. */
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

async function readToken(
  admin: AdminContext,
  values: Values,
): Promise<Token & { readonly mint: WalletAddress | null }> {
  const text = optionalText(values, 'mint');
  if (text === undefined) {
    refuseOptions(values, ['symbol'], 'lobbies with --mint');
    return { ...SOL, mint: null };
  }
  const mint = walletOf(text, '--mint');
  const symbol = neededText(values, 'symbol');
  if (!/^[A-Za-z0-9]{1,10}$/.test(symbol))
    throw new UsageError(`--symbol has 1 to 10 letters, not "${symbol}".`);
  const { rpc, test } = await admin.openChain();
  const found = await readMint(rpc, address(mint));
  if (!found) throw new Refusal(`${mint} is not the mint of a token on this chain.`);
  const isPlayMoney = test !== undefined && test.token.mint === address(mint);
  if (!isPlayMoney && mint !== WRAPPED_SOL && !admin.limitedTokens.includes(mint)) {
    throw new Refusal(
      `Payouts of ${mint} have no limit, so the signer would not sign them. List it in PAYOUT_LIMIT_TOKENS, of the signer and here.`,
    );
  }
  return { symbol, decimals: found.decimals, mint };
}
