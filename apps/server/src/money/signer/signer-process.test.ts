import { randomBytes } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServerHome, type ServerHome } from '@engulf/trials/server-home';
import type { ServerProcess } from '@engulf/trials/server-process';
import { generateKeyPairSigner } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withLog } from '../../../testing/fake-node.ts';
import {
  expectBooksToMatchTheChain,
  newWinner,
  payoutDeps,
  STAKE,
  type Winner,
} from '../../../testing/paid-players.ts';
import { lamportsOf, payoutsOf } from '../../../testing/players.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import type { LobbyRow } from '../../lobbies/lobby-rows.ts';
import { readConfig } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { payoutBatches, signerLog } from '../../platform/database/money.ts';
import { closeKey } from '../../platform/super-admin-key.ts';
import { payLobby } from '../payouts/pay-lobby.ts';

const SECRET = randomBytes(32).toString('hex');

let server: TestServer;
let context: Context;
let lobby: LobbyRow;
let home: ServerHome;
let signer: ServerProcess;
let wire: Wire;

beforeAll(async () => {
  server = await startTestServer();
  lobby = await server.lobby('Shallows');
  // A worker without the key. The super admin's is nowhere: the signer has the payout key only.
  const stranger = closeKey(await generateKeyPairSigner());
  context = { ...server.context, chain: { ...server.chain, superAdminKey: stranger } };
  home = await createServerHome();
  signer = await startSigner();
  wire = await openWire(() => signer.url);
});
afterAll(async () => {
  wire.server.close();
  await home.dispose();
  await server.dispose();
});

const startSigner = () =>
  home.start({
    ENGULF_ROLES: 'signer',
    PAYOUT_KEYPAIR: server.payoutKeypair(),
    PROGRAM_ID: server.chain.programId,
    SIGNER_SECRET: SECRET,
    PAYOUT_LIMIT_SOL: '0.05',
  });

const depsOf = (secret = SECRET, by = context) =>
  payoutDeps(by, {}, readConfig({ SIGNER_URL: wire.url(), SIGNER_SECRET: secret }).payouts);

async function expectPaidOnce({ wallet, lamportsBefore }: Winner): Promise<void> {
  await expect
    .poll(
      async () => {
        await payLobby(context, lobby.id, depsOf());
        return payoutsOf(context, wallet);
      },
      { timeout: 30_000 },
    )
    .toMatchObject([{ status: 'completed' }]);
  expect(await lamportsOf(context, wallet)).toBe(lamportsBefore + STAKE);
  await expectBooksToMatchTheChain(context, lobby);
}

test('a signer in another process signs for a worker that has no key', async () => {
  await expectPaidOnce(await newWinner(server, lobby));
  expect(await context.db.select().from(signerLog)).toEqual([]);
});

test('a signer that is killed between signing and answering signs the same again, and it is paid once', async () => {
  const winner = await newWinner(server, lobby);
  let signed: string | undefined;
  wire.onAnswer = async (answer) => {
    wire.onAnswer = undefined;
    signed = JSON.parse(answer).signature;
    await signer.kill('SIGKILL');
  };
  const { context: watched, codes } = withLog(context);
  await payLobby(watched, lobby.id, depsOf(SECRET, watched));
  expect(codes).toEqual(['SIGNER_UNAVAILABLE']);
  expect(signed).toBeDefined();
  await payLobby(watched, lobby.id, depsOf(SECRET, watched));
  const open = await context.db.select().from(payoutBatches).where(eq(payoutBatches.status, 'open'));
  expect(open).toMatchObject([{ signature: null }]);
  signer = await startSigner();
  await expectPaidOnce(winner);
  // If the restart took longer than the claim could land, it was dropped, and another of its number was signed.
  const [batch] = await context.db.select().from(payoutBatches).where(eq(payoutBatches.id, open[0]!.id));
  expect(batch!.signature).toBe(batch!.status === 'expired' ? null : signed);
});

test('a claim whose signature was lost, but which somebody sent, is found and not paid again', async () => {
  const winner = await newWinner(server, lobby);
  wire.onAnswer = async (answer) => {
    wire.onAnswer = undefined;
    await context.chain.rpc.sendTransaction(JSON.parse(answer).wire, { encoding: 'base64' }).send();
    throw new Error('the answer is lost');
  };
  await payLobby(context, lobby.id, depsOf());
  await expect
    .poll(() => lamportsOf(context, winner.wallet), { timeout: 30_000 })
    .toBe(winner.lamportsBefore + STAKE);
  await expectPaidOnce(winner);
});

test('a signer obeys nobody without the secret, and a worker believes no answer without it', async () => {
  const winner = await newWinner(server, lobby);
  const { context: watched, codes } = withLog(context);
  await payLobby(watched, lobby.id, depsOf('another secret that is long enough', watched));
  expect(codes).toEqual(['SIGNER_UNAVAILABLE']);
  wire.change = (answer) => answer.replace('"signed"', '"refused"');
  await payLobby(watched, lobby.id, depsOf(SECRET, watched));
  wire.change = (answer) => answer;
  expect(codes).toEqual(['SIGNER_UNAVAILABLE', 'SIGNER_UNAVAILABLE']);
  expect(await payoutsOf(context, winner.wallet)).toMatchObject([{ status: 'processing' }]);
  await expectPaidOnce(winner);
});

type Wire = {
  readonly server: Server;
  url(): string;
  /** Called when the signer was asked to sign, has answered, and the worker does not know it yet. If it throws, the answer is lost. */
  onAnswer: ((answer: string) => Promise<void>) | undefined;
  change(answer: string): string;
};

/** Stands between worker and signer. */
async function openWire(target: () => string): Promise<Wire> {
  const server = createServer((incoming, outgoing) => {
    const onward = request(new URL(incoming.url!, target()), {
      method: incoming.method!,
      headers: incoming.headers,
    });
    onward.on('error', () => outgoing.destroy());
    onward.on('response', async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      try {
        const onAnswer = incoming.url === '/sign' ? opened.onAnswer : undefined;
        const isLost = onAnswer !== undefined;
        await onAnswer?.(text);
        if (isLost) throw new Error('the signer died');
        outgoing.writeHead(answer.statusCode!, answer.headers).end(opened.change(text));
      } catch {
        outgoing.destroy();
      }
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const opened: Wire = {
    server,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onAnswer: undefined,
    change: (answer) => answer,
  };
  return opened;
}
