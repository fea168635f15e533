import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '@engulf/protocol/http/config';
import { type PublicMatch, RECORDING_PATH, readMatch } from '@engulf/protocol/http/matches';
import { address, createSolanaRpc } from '@solana/kit';
import { openRecording } from '../src/open-recording.ts';
import { readChainFacts } from '../src/read-chain-facts.ts';
import { verifyMatch } from '../src/verify-match.ts';

const USAGE = `npm run verify -- <match id or recording file> [options]
  --server <url>   whose match it is (http://localhost:3000)
  --rpc <url>      the Solana node to ask (the one the server names)
  --facts <file>   what the server said about the match, instead of asking it`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, rpc: { type: 'string' }, facts: { type: 'string' } },
});
const server = values.server ?? `http://localhost:${process.env['PORT'] ?? 3000}`;
const [subject] = positionals;
if (subject === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await verify(subject).catch((error: unknown) => {
    console.error(String(error));
    return 2;
  });
}

/** 0 if everything fits, 1 if something does not, 3 if something cannot be checked yet. */
async function verify(idOrFile: string): Promise<number> {
  const isId = /^[0-9a-f-]{36}$/i.test(idOrFile);
  const bytes = isId ? undefined : await readFile(idOrFile);
  const match = await readFacts(bytes ? await matchIdOf(bytes) : idOrFile);
  const config = readConfig.answer.parse(await getJson('/api/config'));
  const rpc = createSolanaRpc(values.rpc ?? config.rpcUrl);
  const chain = await readChainFacts(rpc, address(config.programId), match);
  const recording = bytes ?? (await getBytes(RECORDING_PATH.replace(':id', match.id)));
  const { isRight, wrong, line } = await verifyMatch(match, recording, chain);
  console.log(line);
  if (wrong) return 1;
  return isRight ? 0 : 3;
}

async function matchIdOf(bytes: Uint8Array): Promise<string> {
  const opened = await openRecording(bytes);
  if (opened.ok) return opened.value.header.matchId;
  throw new Error(`The recording cannot be read: ${opened.error.problem} at byte ${opened.error.position}`);
}

async function readFacts(id: string): Promise<PublicMatch> {
  const answer = values.facts
    ? JSON.parse(await readFile(values.facts, 'utf8'))
    : await getJson(readMatch.path.replace(':id', id));
  return readMatch.answer.parse(answer).data;
}

async function getJson(path: string): Promise<unknown> {
  return (await get(path)).json();
}

async function getBytes(path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await get(path)).arrayBuffer());
}

async function get(path: string): Promise<Response> {
  const response = await fetch(new URL(path, server));
  if (response.ok) return response;
  throw new Error(`${server}${path} answers ${response.status}: ${await response.text()}`);
}
