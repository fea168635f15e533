import { readFile, writeFile } from 'node:fs/promises';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { type LobbyProgress, startProgress, verifyLobby } from '../src/verify-lobby.ts';

type LobbyRequest = {
  readonly lobby: string;
  readonly server: string;
  readonly rpcUrl: string | undefined;
  /** Where to keep what was read, so that the next call goes on from there. */
  readonly keep: string | undefined;
};

/** Checks a lobby over all its matches and prints what is wrong. Returns the exit code. */
export async function lobbyCommand({ lobby, server, rpcUrl, keep }: LobbyRequest): Promise<number> {
  const progress = keep === undefined ? startProgress() : await readProgress(keep);
  try {
    const { wrong, open, figures } = await verifyLobby(lobby, { server, rpcUrl, progress });
    const token = [...progress.matches.values()][0]?.match;
    const text = (amount: bigint) =>
      token
        ? `${formatExactAmount(amount, { symbol: token.tokenSymbol, decimals: token.tokenDecimals })} ${token.tokenSymbol}`
        : `${amount}`;
    const { matches, joins, paidIn, payouts, paidOut, gifts, pool } = figures;
    const verdict =
      wrong.length > 0 ? 'DOES NOT ADD UP' : open.length > 0 ? 'adds up so far' : 'adds up to the unit';
    console.log(
      `Lobby ${lobby} ${verdict}: ${matches} matches, ${joins} payments of ${text(paidIn)}, ${payouts} payouts of ${text(paidOut)}, gifts ${text(gifts)}, pool ${pool === undefined ? 'not read' : text(pool)}.`,
    );
    for (const line of wrong) console.log(`  wrong: ${line}`);
    for (const line of open) console.log(`  open: ${line}`);
    if (wrong.length > 0) return 1;
    return open.length > 0 ? 3 : 0;
  } finally {
    if (keep !== undefined) await writeFile(keep, progressText(progress));
  }
}

function progressText({ transactions, matches }: LobbyProgress): string {
  return JSON.stringify({ transactions: [...transactions], matches: [...matches] }, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** A file that is not there yet is a beginning. */
async function readProgress(file: string): Promise<LobbyProgress> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return startProgress();
  const kept = JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as { transactions: []; matches: [] };
  return { transactions: new Map(kept.transactions), matches: new Map(kept.matches) };
}
