import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import { expect, test } from 'vitest';
import { evidence, inFreeLobby, sample } from './testing/live-match.ts';
import { playMatch } from './testing/played-match.ts';
import { whileItRan } from './testing/running-view.ts';
import { verifyOnline } from './verify-online.ts';

type Shown = { readonly match: PublicMatch; readonly recording: Uint8Array };

/** Knows the match and, unless it is withheld, its recording; nothing about a node. */
async function startServer(
  isWithheld: boolean,
  { match, recording }: Shown = { match: PUBLIC, recording: evidence.recording },
) {
  const server = createServer((request, response) => {
    const isRecording = request.url!.endsWith('/recording');
    if (isRecording && !isWithheld) response.end(recording);
    else if (isRecording || request.url === '/api/config') response.writeHead(404).end();
    else response.end(JSON.stringify({ status: 'success', data: match }));
  });
  await new Promise<void>((resolve) => void server.listen(0, resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: async () => void server.close() };
}

/** In a lobby without money, whose answer passes the schema. */
const { match: PUBLIC } = inFreeLobby(evidence);

test('a recording that is not sent leaves the match open, and not wrong or right', async () => {
  await using server = await startServer(true);
  const result = await verifyOnline(PUBLIC.id, { server: server.url });
  expect(result).toMatchObject({ kind: 'checked', verdict: { isRight: false, wrong: undefined } });
});

test('a match is played again although no node can be asked; only the block stays open', async () => {
  await using server = await startServer(false);
  const result = await verifyOnline(PUBLIC.id, { server: server.url });
  expect(result).toMatchObject({
    kind: 'checked',
    verdict: { wrong: undefined, open: [expect.stringContaining('no node could be asked for block')] },
  });
});

test('a match that runs is checked as far as the server told about, although its recording has grown since', async () => {
  const played = playMatch(sample, { rules: { ...crowdedRules, epochs: { seconds: 4 } } });
  const [told, since] = [await whileItRan(played, 1), await whileItRan(played, 2)];
  const { match } = inFreeLobby(told);
  await using server = await startServer(false, { match, recording: since.recording });
  const result = await verifyOnline(match.id, { server: server.url });
  expect(result).toMatchObject({
    kind: 'checked',
    verdict: { isRight: false, wrong: undefined, soFar: { seconds: 4 } },
  });

  const young = { ...match, published: null, entries: [], entryCount: 0 };
  await using other = await startServer(true, { match: young, recording: since.recording });
  expect(await verifyOnline(match.id, { server: other.url })).toMatchObject({ kind: 'running' });
});

test('what was kept while a match ran must be the beginning of its recording after the end', async () => {
  const [played, rewritten] = [sample, { ...sample, seed: sample.seed + 1 }].map((moves) =>
    playMatch(moves, { rules: { ...crowdedRules, epochs: { seconds: 4 } } }),
  );
  const { recording: kept } = await whileItRan(played!, 2);
  const shown = { match: inFreeLobby(played!).match, recording: played!.recording };
  await using server = await startServer(false, shown);
  const honest = await verifyOnline(shown.match.id, { server: server.url, recording: kept });
  expect(honest).toMatchObject({ kind: 'checked', verdict: { wrong: undefined } });
  await using liar = await startServer(false, { ...shown, recording: rewritten!.recording });
  const found = await verifyOnline(shown.match.id, { server: liar.url, recording: kept });
  expect(found).toMatchObject({
    verdict: { wrong: { check: 'recording', what: expect.stringContaining('does not begin') } },
  });
});
