import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWalletAddress, type WalletAddress } from '@engulf/domain/ids/entity-ids';
import { type OpenWindow, parseWindow } from '@engulf/domain/lobby/open-window';
import { parseAmount, type Token } from '@engulf/domain/money/amount';
import { MAX_U64 } from '@engulf/domain/money/u64';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { parseKeypair } from '../platform/config/keypair.ts';
import { type Io, UsageError, type Values } from './command.ts';

/*
 * Reads what an operator typed, or throws a UsageError that says what is expected.
 */

export function optionalText(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function neededText(values: Values, name: string): string {
  const text = optionalText(values, name)?.trim();
  if (!text) throw new UsageError(`--${name} is needed.`);
  return text;
}

export function textList(values: Values, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function isSet(values: Values, name: string): boolean {
  return values[name] === true;
}

export function wholeNumber(text: string, what: string, range: { min: number; max: number }): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= range.min && number <= range.max) return number;
  throw new UsageError(`${what} must be a whole number from ${range.min} to ${range.max}, not "${text}".`);
}

export function amountOf(text: string, token: Token, what: string): bigint {
  const amount = parseAmount(text, token);
  if (amount !== undefined && amount > 0n && amount <= MAX_U64) return amount;
  throw new UsageError(
    `${what} must be an amount of ${token.symbol} above zero with at most ${token.decimals} decimals, such as 0.5, not "${text}".`,
  );
}

export function walletOf(text: string, what: string): WalletAddress {
  if (isWalletAddress(text)) return text;
  throw new UsageError(`${what} must be an address of Solana (base58), not "${text}".`);
}

export function oneOf<const Choice extends string>(
  text: string,
  choices: readonly Choice[],
  what: string,
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be one of ${choices.join(', ')}, not "${text}".`);
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function durationMs(text: string, what: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (match) return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  throw new UsageError(`${what} must be a time such as 90s, 10m, 24h or 30d, not "${text}".`);
}

/** Milliseconds since the epoch, from a time that says its zone. */
export function timeOf(text: string, what: string): number {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isWhole ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new UsageError(`${what} must be a time such as 2026-12-01T18:00Z, not "${text}".`);
}

/** `18:00-02:00` every day, or `2026-12-01T18:00/2026-12-01T22:00` once; all in UTC. */
export function windowOf(text: string): OpenWindow {
  const separator = text.includes('/') ? '/' : '-';
  const [startUtc = '', endUtc = '', ...rest] = text.split(separator).map((part) => part.trim());
  const window = { startUtc, endUtc };
  if (rest.length === 0 && parseWindow(window)) return window;
  throw new UsageError(
    `--window must be 18:00-02:00 (every day) or 2026-12-01T18:00/2026-12-01T22:00 (once), in UTC, not "${text}".`,
  );
}

/** A file of `solana-keygen`. */
export async function keyFromFile(path: string, io: Io, what: string): Promise<KeyPairSigner> {
  let text: string;
  try {
    text = readFileSync(resolve(io.folder, path), 'utf8');
  } catch (error) {
    throw new UsageError(`${what} ${path} cannot be read: ${(error as Error).message}`);
  }
  const bytes = parseKeypair(text);
  if (!bytes)
    throw new UsageError(`${what} ${path} is not a JSON array of 64 bytes, as solana-keygen writes it.`);
  try {
    return await createKeyPairSignerFromBytes(bytes);
  } catch {
    throw new UsageError(`${what} ${path} holds a public key that does not belong to its private key.`);
  }
}
