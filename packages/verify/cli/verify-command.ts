import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isUuid } from '@engulf/domain/ids/uuid';
import { readMatch } from '@engulf/protocol/http/matches';
import { openRecording } from '../src/open-recording.ts';
import { verifyOnline } from '../src/verify-online.ts';

const USAGE = `npm run verify -- <match id or recording file> [options]
  --server <url>   whose match it is (http://localhost:3000)
  --rpc <url>      the Solana node to ask (the one the server names)
  --facts <file>   what the server said about the match, instead of asking it
Exit codes: 0 everything fits, 1 something does not, 2 not understood, 3 something cannot be checked yet.`;

/** Checks a match and prints one line. Returns the exit code. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        server: { type: 'string' },
        rpc: { type: 'string' },
        facts: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    const [subject] = positionals;
    if (subject === undefined || values.help) {
      console.error(USAGE);
      return values.help ? 0 : 2;
    }
    const recording = isUuid(subject) ? undefined : await readFile(subject);
    const checked = await verifyOnline(recording ? await matchIdOf(recording) : subject, {
      server: values.server ?? `http://localhost:${process.env['PORT'] ?? 3000}`,
      rpcUrl: values.rpc,
      recording,
      facts: values.facts
        ? readMatch.answer.parse(JSON.parse(await readFile(values.facts, 'utf8'))).data
        : undefined,
    });
    if (checked.kind !== 'checked') {
      const isRunning = checked.kind === 'running';
      console.log(`Match ${checked.match.id} ${isRunning ? 'has not ended yet' : 'was played by nobody'}.`);
      return 3;
    }
    console.log(checked.verdict.line);
    if (checked.verdict.wrong) return 1;
    return checked.verdict.isRight ? 0 : 3;
  } catch (error) {
    console.error(explain(error));
    return 2;
  }
}

function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === 'fetch failed'
    ? 'The server or the Solana node does not answer. Name them with --server and --rpc.'
    : text;
}

async function matchIdOf(bytes: Uint8Array): Promise<string> {
  const opened = await openRecording(bytes);
  if (opened.ok) return opened.value.header.matchId;
  throw new Error(`The recording cannot be read: ${opened.error.problem} at byte ${opened.error.position}`);
}
