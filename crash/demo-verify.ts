import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMatches, type PublicMatch, RECORDING_PATH } from '@engulf/protocol/http/matches';
import { endProcess } from '@engulf/trials/server-process';
import type { ChainFacts } from '@engulf/verify/chain-facts';
import type { CheckName } from '@engulf/verify/checks';
import { fetchMatch } from '@engulf/verify/fetch-match';
import { readChainFacts } from '@engulf/verify/read-chain-facts';
import { verifyMatch } from '@engulf/verify/verify-match';
import { createSolanaRpc } from '@solana/kit';
import { createHome } from './home.ts';
import { listLobbies } from './menu.ts';
import { openPage } from './page.ts';
import { playOnce } from './player.ts';
import { createRandom } from './random.ts';

/*
 * npm run demo:verify
 *
 * Wallets pay and play on a real chain. The server is killed in the middle of a match and stopped in good order in the
 * next one. Both matches must check out; then every part of the evidence is forged, and each forgery must be found.
 */

const PLAYERS = 5;
const PLAY_MS = 20_000;
const SETTLE_WITHIN_MS = 90_000;

type Evidence = { readonly match: PublicMatch; readonly recording: Uint8Array; readonly chain: ChainFacts };

const faults: string[] = [];
const home = await createHome();
let server: ChildProcess | undefined;
try {
  await play();
  const matches = await readMatches();
  for (const evidence of matches) await mustFit(evidence);
  const killed = matches.find(
    ({ match }) => match.isCut && match.entries.some(({ outcome }) => outcome === 'fault'),
  );
  const ended = matches.find(({ match }) => !match.isCut && match.entries.some(({ payout }) => payout));
  if (!killed) faults.push('no match was cut by the kill with players in it');
  if (!ended) faults.push('no match for money ended in good order');
  else await mustBeFound(ended);
} catch (error) {
  faults.push(String(error));
} finally {
  if (server) await endProcess(server, 'SIGKILL');
  await home.dispose();
}
for (const fault of faults) console.error(`✗ ${fault}`);
console.log(`\nverify: ${faults.length === 0 ? 'everything fits and every forgery was found' : 'failed'}`);
process.exit(faults.length === 0 ? 0 : 1);

async function start(): Promise<void> {
  const isStarted = await home.startServer({ rpcUrl: home.chain.rpcUrl, roomProcesses: 0 }, (child) => {
    server = child;
  });
  if (!isStarted) throw new Error('The server did not start');
}

async function play(): Promise<void> {
  await start();
  const random = createRandom(Date.now());
  let isOver = false;
  const lobby = (await listLobbies(home.url)).find(({ name }) => name === 'Shallows')!;
  const names = Array.from({ length: PLAYERS }, (_, index) => `player ${index}`);
  const pages = await Promise.all(names.map((name) => openPage(home, name, () => isOver)));
  const playing = Promise.all(
    pages.map(async (page) => {
      while (!isOver) {
        const outcome = await playOnce({
          roomUrl: () => home.url,
          page,
          others: pages,
          lobbies: [lobby],
          random,
          note: () => {},
          isOver: () => isOver,
          canWaitLong: false,
        }).catch((error: Error) => `cut off: ${error.message.slice(0, 60)}`);
        console.log(`${page.name}: ${outcome}`);
        await sleep(500);
      }
    }),
  );
  await sleep(PLAY_MS);
  console.log('— the server is killed —');
  await endProcess(server!, 'SIGKILL');
  await start();
  await sleep(PLAY_MS);
  console.log('— the server is stopped —');
  isOver = true;
  await endProcess(server!, 'SIGINT');
  await playing;
  await start();
}

/** The matches in which somebody has played, once all of them are paid. */
async function readMatches(): Promise<Evidence[]> {
  const rpc = createSolanaRpc(home.chain.rpcUrl);
  const deadlineMs = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const page = listMatches.answer.parse(await (await fetch(`${home.url}${listMatches.path}`)).json());
    const played = page.data.data.filter(({ state, finalHash }) => state === 'ended' && finalHash !== null);
    const matches = await Promise.all(played.map(({ id }) => fetchMatch(home.url, id)));
    const isPaid = matches.every(({ entries }) => entries.every(isSettled));
    if (!isPaid && Date.now() < deadlineMs) {
      await sleep(1_000);
      continue;
    }
    return Promise.all(
      matches.map(async (match) => ({
        match,
        recording: await getRecording(match.id),
        chain: await readChainFacts(rpc, home.chain.programId, match),
      })),
    );
  }
}

function isSettled({ outcome, payout }: PublicMatch['entries'][number]): boolean {
  return outcome !== null && (payout === null || payout.status === 'completed');
}

async function getRecording(id: string): Promise<Uint8Array> {
  const response = await fetch(home.url + RECORDING_PATH.replace(':id', id));
  if (!response.ok) throw new Error(`No recording of ${id}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function mustFit({ match, recording, chain }: Evidence): Promise<void> {
  const startedMs = performance.now();
  const { isRight, line } = await verifyMatch(match, recording, chain);
  const outcomes = match.entries.map(({ outcome, amount }) => `${outcome} ${amount}`).join(', ');
  console.log(`\n${line}\n  ${recording.length} bytes, ${outcomes}`);
  console.log(`  checked in ${Math.round(performance.now() - startedMs)} ms`);
  if (!isRight) faults.push(`match ${match.id} does not check out`);
}

/** Flips one bit in every part of the evidence. */
async function mustBeFound({ match, recording, chain }: Evidence): Promise<void> {
  const forgedMatch = (edit: (draft: PublicMatch) => unknown) => {
    const draft = structuredClone(match);
    edit(draft);
    return draft;
  };
  const flip = (hex: string) => (Number.parseInt(hex[0]!, 16) ^ 1).toString(16) + hex.slice(1);
  const more = (amount: string) => (BigInt(amount) ^ 1n).toString();
  const withPayout = (draft: PublicMatch) => draft.entries.find(({ payout }) => payout)!;
  const otherWallet = (draft: PublicMatch) => draft.commitment.replaceAll('0', '1').slice(0, 40);
  const claims = new Map(
    [...chain.claims].map(([signature, claim]) => [
      signature,
      claim && { ...claim, payments: claim.payments.map((one) => ({ ...one, amount: one.amount ^ 1n })) },
    ]),
  );
  const blockhash = match.block!.blockhash.replace(/.$/, (last) => (last === '2' ? '3' : '2'));
  const forgeries: [what: string, by: CheckName, Evidence][] = [
    [
      'secret',
      'commitment',
      { match: forgedMatch((m) => Object.assign(m, { secret: flip(m.secret!) })), recording, chain },
    ],
    [
      'commitment',
      'recording',
      { match: forgedMatch((m) => Object.assign(m, { commitment: flip(m.commitment) })), recording, chain },
    ],
    [
      'rules',
      'recording',
      {
        match: forgedMatch((m) =>
          Object.assign(m, { rules: m.rules.replace(/\d/, (digit) => `${Number(digit) ^ 1}`) }),
        ),
        recording,
        chain,
      },
    ],
    [
      'final hash',
      'recording',
      { match: forgedMatch((m) => Object.assign(m, { finalHash: flip(m.finalHash!) })), recording, chain },
    ],
    [
      'settled amount',
      'settlement',
      {
        match: forgedMatch((m) => Object.assign(withPayout(m), { amount: more(withPayout(m).amount!) })),
        recording,
        chain,
      },
    ],
    [
      'spill',
      'settlement',
      { match: forgedMatch((m) => Object.assign(m, { spillAfter: more(m.spillAfter!) })), recording, chain },
    ],
    [
      'wallet of a payout',
      'entries',
      {
        match: forgedMatch((m) => Object.assign(withPayout(m).payout!, { wallet: otherWallet(m) })),
        recording,
        chain,
      },
    ],
    [
      'payer of an entry',
      'entries',
      {
        match: forgedMatch((m) => {
          const { payment, payout } = withPayout(m);
          Object.assign(payment!, { wallet: otherWallet(m) });
          Object.assign(payout!, { wallet: otherWallet(m) });
        }),
        recording,
        chain,
      },
    ],
    ['block', 'block', { match, recording, chain: { ...chain, block: { ...chain.block!, blockhash } } }],
    ['paid amount', 'payments', { match, recording, chain: { ...chain, claims } }],
  ];
  const bits = Array.from({ length: 64 }, (_, i) => Math.floor((recording.length * 8 * (i + 0.5)) / 64));
  for (const bit of bits) {
    const forged = recording.slice();
    forged[bit >> 3]! ^= 1 << (bit & 7);
    forgeries.push([`bit ${bit} of the recording`, 'recording', { match, recording: forged, chain }]);
  }
  console.log('');
  for (const [what, by, evidence] of forgeries) {
    const { wrong } = await verifyMatch(evidence.match, evidence.recording, evidence.chain);
    if (!what.startsWith('bit')) console.log(`${what} forged → ${wrong?.check}: ${wrong?.what}`);
    if (wrong?.check !== by) faults.push(`the forged ${what} was not found by ${by}, but by ${wrong?.check}`);
  }
  console.log(`${bits.length} bits of the recording flipped, one at a time`);
}
