import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isUuid } from '@engulf/domain/ids/uuid';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { type PublicMatch, readMatch } from '@engulf/protocol/http/matches';
import type { Verdict } from '../src/checks.ts';
import { openRecording } from '../src/open-recording.ts';
import { verifyOnline } from '../src/verify-online.ts';
import { lobbyCommand } from './lobby-command.ts';
import { receiptCommand } from './receipt-command.ts';

const USAGE = `npm run verify -- <match id or recording file> [options]
npm run verify -- --lobby <name or id> [options]
  --server <url>   whose match it is (http://localhost:3000)
  --rpc <url>      the Solana node to ask (the one the server names)
  --receipt <file> what somebody kept while the match ran, several if named again: compared with each other and with the
                   recording file, if there is one; nothing is asked of a server
  --facts <file>   what the server said about the match, instead of asking it
  --lobby <name>   all matches of a lobby together: every payment and payout, counted once
  --keep <file>    with --lobby: what was read, to go on from there the next time
Exit codes: 0 everything fits, 1 something does not, 2 not understood, 3 something cannot be checked yet.`;

/** Checks a match and prints one line, of `ownServer` unless another one is named. Returns the exit code. */
export async function verifyCommand(
  args: readonly string[],
  ownServer = `http://localhost:${process.env['PORT'] ?? 3000}`,
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        server: { type: 'string' },
        rpc: { type: 'string' },
        facts: { type: 'string' },
        lobby: { type: 'string' },
        keep: { type: 'string' },
        receipt: { type: 'string', multiple: true },
        help: { type: 'boolean' },
      },
    });
    const [subject] = positionals;
    const server = values.server ?? ownServer;
    if (values.lobby !== undefined && !values.help) {
      return await lobbyCommand({ lobby: values.lobby, server, rpcUrl: values.rpc, keep: values.keep });
    }
    if (values.receipt && !values.help) return await receiptCommand(values.receipt, subject);
    if (subject === undefined || values.help) {
      console.error(USAGE);
      return values.help ? 0 : 2;
    }
    const recording = isUuid(subject) ? undefined : await readFile(subject);
    const checked = await verifyOnline(recording ? await matchIdOf(recording) : subject, {
      server,
      rpcUrl: values.rpc,
      recording,
      facts: values.facts
        ? readMatch.answer.parse(JSON.parse(await readFile(values.facts, 'utf8'))).data
        : undefined,
    });
    if (checked.kind !== 'checked') {
      const isRunning = checked.kind === 'running';
      const why = isRunning
        ? 'runs: what was played can be checked ten to twenty minutes later'
        : 'was played by nobody';
      console.log(`Match ${checked.match.id} ${why}.`);
      return 3;
    }
    console.log(checked.verdict.line);
    printCashOuts(checked.match, checked.verdict);
    if (checked.verdict.wrong) return 1;
    return checked.verdict.isRight ? 0 : 3;
  } catch (error) {
    console.error(explain(error));
    return 2;
  }
}

/** Of a match that goes on. After its end all of them fit, or the first that does not is named. */
function printCashOuts({ entries, tokenSymbol, tokenDecimals }: PublicMatch, { soFar }: Verdict): void {
  for (const { id, outcome, payout } of entries) {
    const amount = soFar?.settled.get(id);
    if (amount === undefined || outcome !== 'cashout') continue;
    const text = formatExactAmount(amount, { symbol: tokenSymbol, decimals: tokenDecimals });
    const paid = payout?.signature ? `paid in ${payout.signature}` : 'not paid on the chain yet';
    console.log(`  entry ${id}: cash-out of ${text} ${tokenSymbol}, as the recording says; ${paid}`);
  }
}

function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === 'fetch failed'
    ? 'The server or the Solana node does not answer. Name them with --server and --rpc.'
    : text;
}

async function matchIdOf(bytes: Uint8Array): Promise<string> {
  const whole = await openRecording(bytes);
  const opened = whole.ok ? whole : await openRecording(bytes, { isRunning: true });
  if (opened.ok) return opened.value.header.matchId;
  throw new Error(`The recording cannot be read: ${opened.error.problem} at byte ${opened.error.position}`);
}
