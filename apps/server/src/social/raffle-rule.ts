import { createHash } from 'node:crypto';

/** The rule in words, for those who want to check a draw. */
export const RAFFLE_RULE =
  'seed = sha256(blockhash + "\\n" + each wallet in ascending order + "\\n"), in hex. ' +
  'The wallets with the lowest sha256(seed + ":" + wallet), in hex, win. ' +
  'The block is the first finalized one at or after 00:00 UTC at the end of the day.';

/** Who wins. Nothing but the blockhash and the list decides. */
export function drawWinners<Wallet extends string>(
  blockhash: string,
  wallets: readonly Wallet[],
  winners: number,
): readonly Wallet[] {
  const sorted = wallets.toSorted(byCharacterCodes);
  const seed = sha256Hex(`${blockhash}\n${sorted.map((wallet) => `${wallet}\n`).join('')}`);
  const scored = sorted.map((wallet) => ({ wallet, score: sha256Hex(`${seed}:${wallet}`) }));
  scored.sort((a, b) => byCharacterCodes(a.score, b.score));
  return scored.slice(0, winners).map(({ wallet }) => wallet);
}

function byCharacterCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
