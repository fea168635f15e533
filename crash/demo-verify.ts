import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMatches, type PublicMatch, RECORDING_PATH } from '@engulf/protocol/http/matches';
import { endProcess } from '@engulf/trials/server-process';
import { type ChainFacts, isSeen } from '@engulf/verify/chain-facts';
import { findFraud, keepSigned } from '@engulf/verify/check-receipts';
import type { CheckName } from '@engulf/verify/checks';
import { fetchMatch } from '@engulf/verify/fetch-match';
import type { KeptMatch } from '@engulf/verify/kept-receipts';
import { openRecording } from '@engulf/verify/open-recording';
import { openNode } from '@engulf/verify/patient-node';
import { addBeacons } from '@engulf/verify/read-beacons';
import { readChainFacts } from '@engulf/verify/read-chain-facts';
import { whileItRan } from '@engulf/verify/testing/running-view';
import { startProgress, verifyLobby } from '@engulf/verify/verify-lobby';
import { verifyMatch } from '@engulf/verify/verify-match';
import { createHome } from './home.ts';
import { listLobbies } from './menu.ts';
import { openPage } from './page.ts';
import { playOnce } from './player.ts';
import { createRandom } from './random.ts';
import { signStatement, statementsKept } from './sign-inputs.ts';
import { receiptsSeen } from './visit.ts';

/*
 * npm run demo:verify
 *
 * Wallets pay and play on a real chain. The server is killed in the middle of a match and stopped in good order in the
 * next one. Both matches must check out, from the commitment on the chain to the receipts that players got and the inputs that
 * they signed; then every part of the evidence is forged, and each forgery must be found. The same is done with what was to be
 * public while the match ran. At the end a server that steers for a player, and one that cuts a recording, are convicted.
 */

const PLAYERS = 5;
const PLAY_MS = 20_000;
const PLAYING_AT_KILL = 3;
const MEET_WITHIN_MS = 60_000;
const SETTLE_WITHIN_MS = 90_000;

type Evidence = { readonly match: PublicMatch; readonly recording: Uint8Array; readonly chain: ChainFacts };

const faults: string[] = [];
const home = await createHome();
let server: ChildProcess | undefined;
try {
  const matches = await readMatches(await play());
  for (const evidence of matches) await mustFit(evidence);
  const killed = matches.find(
    ({ match }) => match.isCut && match.entries.some(({ outcome }) => outcome === 'fault'),
  );
  const ended = matches.find(({ match }) => !match.isCut && match.entries.some(({ payout }) => payout));
  if (!killed) faults.push('no match was cut by the kill with players in it');
  const hasBlocks = matches.some(({ chain }) => chain.beacons && chain.beacons.size > 0);
  if (!hasBlocks) faults.push('no wave of portals was placed by a block');
  if (!ended) faults.push('no match for money ended in good order');
  else {
    await mustBeFound(ended);
    await mustFitWhileItRan(ended);
    await mustConfirmInputs(ended);
    await mustProveFraud(ended);
  }
  await mustAddUp();
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

/** Returns the lobby in which they played. */
async function play(): Promise<string> {
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
  await mustBeClosed(lobby.id);
  await someArePlaying(lobby.id);
  console.log('— the server is killed —');
  await endProcess(server!, 'SIGKILL');
  await start();
  await sleep(PLAY_MS);
  console.log('— the server is stopped —');
  isOver = true;
  await endProcess(server!, 'SIGINT');
  await playing;
  await start();
  return lobby.id;
}

/** So that the kill cuts a match with players in it, however short their lives are. */
async function someArePlaying(lobbyId: string): Promise<void> {
  const deadlineMs = Date.now() + MEET_WITHIN_MS;
  while (Date.now() < deadlineMs) {
    const lobby = (await listLobbies(home.url)).find(({ id }) => id === lobbyId);
    if (lobby && lobby.currentPlayers >= PLAYING_AT_KILL) return;
    await sleep(200);
  }
}

/** The matches in which somebody has played, once all of them are paid. */
async function readMatches(lobbyId: string): Promise<Evidence[]> {
  const rpc = openNode(home.chain.rpcUrl);
  const deadlineMs = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const listed = await listMatchesOf(lobbyId);
    const played = listed.filter(({ state, finalHash }) => state === 'ended' && finalHash !== null);
    const matches = await Promise.all(played.map(({ id }) => fetchMatch(home.url, id)));
    const isPaid = matches.every(({ entries }) => entries.every(isSettled));
    if (!isPaid && Date.now() < deadlineMs) {
      await sleep(1_000);
      continue;
    }
    const evidence = await Promise.all(
      matches.map(async (match) => {
        const recording = await getRecording(match.id);
        const facts = await readChainFacts(rpc, home.chain.programId, match);
        return { match, recording, chain: await addBeacons(rpc, facts, recording, { isRunning: false }) };
      }),
    );
    if (evidence.every(isClosed) || Date.now() > deadlineMs) return evidence;
    await sleep(1_000);
  }
}

async function listMatchesOf(lobbyId: string) {
  const answer = await fetch(`${home.url}${listMatches.path}?lobbyId=${lobbyId}`);
  return listMatches.answer.parse(await answer.json()).data.data;
}

/** All matches of the lobby together, as anybody can check them. */
async function mustAddUp(): Promise<void> {
  const { rpcUrl } = home.chain;
  const audit = await verifyLobby('Shallows', { server: home.url, rpcUrl, progress: startProgress() });
  console.log('\nthe lobby as a whole', audit);
  for (const wrong of audit.wrong) faults.push(`the lobby does not add up: ${wrong}`);
}

/** Whether what the match left is on the chain, and what the one before it left. */
function isClosed({ match, chain }: Evidence): boolean {
  const memos = (chain.anchors?.listed ?? []).map(({ memo }) => memo);
  const commit = chain.anchors?.commit?.memo;
  const isFirst = !memos.some((memo) => commit?.kind === 'commit' && memo.commitment === commit.previous);
  const has = (commitment: string) =>
    memos.some((memo) => memo.kind === 'close' && memo.commitment === commitment);
  return commit?.kind === 'commit' && has(match.commitment) && (isFirst || has(commit.previous));
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
  const { isRight, wrong, line } = await verifyMatch(match, recording, chain);
  const outcomes = match.entries.map(({ outcome, amount }) => `${outcome} ${amount}`).join(', ');
  console.log(`\n${line}\n  ${recording.length} bytes, ${outcomes}`);
  console.log(`  checked in ${Math.round(performance.now() - startedMs)} ms`);
  // Players of these rules are not safe for long, so what they did after the kill may stay open.
  if (wrong || (!isRight && !match.isCut)) faults.push(`match ${match.id} does not check out`);
}

/** Nothing of a match that has run for less than ten minutes can be read, although epochs of it are over. */
async function mustBeClosed(lobbyId: string): Promise<void> {
  const running = (await listMatchesOf(lobbyId)).find(({ state }) => state === 'running');
  if (!running) return void faults.push('no match was running');
  const { published, secret, entries } = await fetchMatch(home.url, running.id);
  const { status } = await fetch(home.url + RECORDING_PATH.replace(':id', running.id));
  console.log(
    `\nrunning match ${running.id}: secret ${secret}, public so far ${published}, recording ${status}`,
  );
  if (published || secret || entries.length > 0 || status !== 409)
    faults.push('something of a running match is public too early');
}

/** As it would have been public ten minutes after its last whole epoch, and then forged. */
async function mustFitWhileItRan(evidence: Evidence): Promise<void> {
  const running = await whileItRan(evidence);
  const { wrong, soFar, line } = await verifyMatch(running.match, running.recording, running.chain);
  console.log(`\nwhile it ran: ${line}`);
  if (wrong || !soFar) faults.push(`a running match does not check out: ${wrong?.what}`);
  const forged = (edit: (draft: PublicMatch) => unknown) => {
    const match = structuredClone(running.match) as PublicMatch;
    edit(match);
    return match;
  };
  const [over] = soFar?.settled.keys() ?? [];
  const forgeries: [what: string, by: CheckName, PublicMatch][] = [
    [
      'secret of an epoch',
      'commitment',
      forged(({ published }) =>
        Object.assign(published!, { secret: published!.secret.split('').toReversed().join('') }),
      ),
    ],
  ];
  if (over === undefined) console.log('nobody was out of the match by then');
  else {
    const lie = (draft: PublicMatch) => draft.entries.find(({ id }) => id === over)!;
    forgeries.push(['entry', 'settlement', forged((draft) => Object.assign(lie(draft), { stake: '1' }))]);
  }
  for (const [what, by, match] of forgeries) {
    const found = await verifyMatch(match, running.recording, undefined);
    console.log(`${what} of a running match forged → ${found.wrong?.check}: ${found.wrong?.what}`);
    if (found.wrong?.check !== by)
      faults.push(`the forged ${what} of a running match was not found by ${by}`);
  }
}

/** What players signed of their inputs is in the recording, and shows if it has other inputs than they sent. */
async function mustConfirmInputs({ match, recording, chain }: Evidence): Promise<void> {
  const { id: matchId, commitment } = match;
  const signed = statementsKept.filter((one) => one.matchId === matchId);
  const verifyWith = (statements: KeptMatch['statements'], facts = chain) =>
    verifyMatch(match, recording, facts, undefined, { matchId, commitment, receipts: [], statements });

  const honest = await verifyWith(signed.map(({ statement }) => statement));
  const confirmed = honest.notes.find((note) => note.includes('own signatures'));
  console.log(`\nplayers signed ${signed.length} statements about their inputs: ${confirmed}`);
  if (signed.length === 0) faults.push('no player has signed inputs');
  if (honest.wrong || honest.open.length > 0) faults.push('what players signed does not fit');

  const [first, ...others] = signed;
  if (!first) return;
  // As if it had recorded other inputs than the player had sent.
  const elsewhere = { ...first.statement, rowsHash: 'ab'.repeat(32) };
  const sent = signStatement({ ...first, statement: elsewhere });
  const steered = await verifyWith([sent, ...others.map(({ statement }) => statement)]);
  console.log(`a server that steers for a player → ${steered.open.join('; ')}`);
  if (!steered.open.some((text) => text.includes('has other inputs'))) faults.push('steering was not shown');

  const joins = new Map(
    [...chain.joins].map(([name, seen]) => [
      name,
      isSeen(seen)
        ? {
            ...seen,
            payments: seen.payments.map((payment) => ({ ...payment, inputsKey: 'ab'.repeat(32) })),
          }
        : seen,
    ]),
  );
  const invented = await verifyWith([], { ...chain, joins });
  console.log(`inputs signed by nobody who paid → ${invented.wrong?.check}: ${invented.wrong?.what}`);
  if (invented.wrong?.check !== 'inputs') faults.push('inputs of another key were not found');
}

/** The receipts that players got fit the recording; a server that cuts it has signed the proof against itself. */
async function mustProveFraud({ match, recording }: Evidence): Promise<void> {
  const opened = await openRecording(recording);
  if (!opened.ok) throw new Error(opened.error.problem);
  const { header, chains, segmentCount } = opened.value;
  const { commitment } = match;
  const receipts = await keepSigned({ commitment, receipts: receiptsSeen }, header.bond.receiptKey!);
  console.log(`\n${receipts.length} of the receipts that players got are of match ${match.id}`);
  const wrong = findFraud(receipts, { chains, segmentCount });
  if (receipts.length === 0 || wrong) faults.push(`receipts do not fit: ${wrong ?? 'there are none'}`);
  const proof = findFraud(receipts, { chains: chains.slice(0, 1), segmentCount: 0 });
  console.log(`recording cut after its header → PROOF OF FRAUD: ${proof}`);
  const [receipt] = receipts;
  if (receipt) console.log(`  part ${receipt.part}, hash ${receipt.chain}, signature ${receipt.signature}`);
  if (!proof) faults.push('a cut recording was not proven');
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
      isSeen(claim)
        ? { ...claim, payments: claim.payments.map((one) => ({ ...one, amount: one.amount ^ 1n })) }
        : claim,
    ]),
  );
  const blockhash = match.block!.blockhash.replace(/.$/, (last) => (last === '2' ? '3' : '2'));
  const { commit, listed } = chain.anchors!;
  const laterAnchors = { commit: { ...commit!, slot: commit!.slot + 1n }, listed };
  const otherEnd = {
    commit,
    listed: listed!.map((one) =>
      one.memo.kind === 'close' && one.memo.commitment === match.commitment
        ? { ...one, memo: { ...one.memo, finalHash: flip(match.finalHash!) } }
        : one,
    ),
  };
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
    ['slot of the commitment', 'anchor', { match, recording, chain: { ...chain, anchors: laterAnchors } }],
    ['end on the chain', 'hashes', { match, recording, chain: { ...chain, anchors: otherEnd } }],
    ...[...(chain.beacons ?? [])].slice(0, 1).flatMap(([slot, block]): typeof forgeries => {
      const withBlock = (changed: object) => ({
        match,
        recording,
        chain: { ...chain, beacons: new Map([...chain.beacons!, [slot, { ...block, ...changed }]]) },
      });
      return [
        ['block of a wave of portals', 'portals', withBlock({ blockhash })],
        ['later block than the one to take', 'portals', withBlock({ parentSlot: slot })],
      ];
    }),
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
