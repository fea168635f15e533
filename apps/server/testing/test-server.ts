import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { placeTestChain } from '@engulf/localnet/testing/chain-template';
import { findFreePorts } from '@engulf/localnet/testing/free-ports';
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { pino } from 'pino';
import { type LobbyRow, listLobbies } from '../src/lobbies/lobby-rows.ts';
import { listRunningLobbies } from '../src/lobbies/running-lobbies.ts';
import { seedLobbies } from '../src/lobbies/seed-lobbies.ts';
import { type Chain, openChain } from '../src/platform/chain/chain.ts';
import type { Context } from '../src/platform/context.ts';
import type { OpenDatabase } from '../src/platform/database/open-database.ts';
import { createLoneState, openSharedState } from '../src/platform/fleet/shared-state.ts';
import { plainError } from '../src/platform/plain-error.ts';
import { deriveKeys } from '../src/platform/purpose-keys.ts';
import { openFolderStorage } from '../src/platform/storage/storage.ts';
import { openSwitches } from '../src/platform/switches.ts';
import { ensureRollups } from '../src/stats/rollups.ts';
import { openTestDatabase } from './test-database.ts';

export type TestServer = {
  readonly context: Context;
  readonly chain: Chain;
  /** Lets time pass for everything but the chain. */
  advance(ms: number): void;
  /** From now on time passes by `advance` alone, until what is returned is called. */
  stopClock(): () => void;
  /** As if the process had been killed and started again: same database and chain, nothing in memory. */
  afterRestart(): Context;
  lobby(name: string): Promise<LobbyRow>;
  newWallet(grant?: { lamports?: bigint; tokens?: bigint }): Promise<KeyPairSigner>;
  /** As `solana-keygen` writes it. */
  superAdminKeypair(): string;
  payoutKeypair(): string;
  /** Sends an instruction and waits until it is final. */
  sendFrom(payer: KeyPairSigner, instruction: Instruction): Promise<void>;
  dispose(): Promise<void>;
};

/** A transaction is final within a tenth of a second, and a blockhash still lives for fifteen. */
const FAST_SLOTS = { slotTimeMs: 100, finalitySlots: 1 };

/**
 * The real database and the real chain, with a clock that tests advance. No role is running. With TEST_REDIS_URL
 * processes know of each other through that server.
 */
export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-server-'));
  const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent', serializers: { err: plainError } });
  const database: OpenDatabase = await openTestDatabase();
  await placeTestChain(folder);
  const chain = await openChain(
    { kind: 'embedded', folder, pageOrigins: [], ...FAST_SLOTS, ...(await findFreePorts()) },
    logger,
  );
  let aheadMs = 0;
  let stoppedAtMs: number | undefined;
  const nowMs = () => (stoppedAtMs ?? Date.now()) + aheadMs;
  const { db } = database;
  const closers: (() => void)[] = [];
  const newShared = (processId: string) => {
    const redisUrl = process.env['TEST_REDIS_URL'];
    if (!redisUrl) return createLoneState({ logger, nowMs });
    const listRunning = () => listRunningLobbies({ db });
    const shared = openSharedState(redisUrl, { logger, nowMs, processId, listRunning });
    closers.push(() => shared.close());
    return shared;
  };
  let processes = 0;
  const newContext = (): Context => {
    const processId = `process ${processes++}`;
    return {
      db,
      chain,
      ...newShared(processId),
      storage: openFolderStorage(join(folder, 'storage')),
      switches: openSwitches(db, nowMs),
      keys: deriveKeys('a secret that is long enough for a test'),
      logger,
      processId,
      release: '0.1.0',
      nowMs,
    };
  };
  const context = newContext();
  await seedLobbies(context);
  await ensureRollups(context);
  return {
    context,
    chain,
    advance: (ms) => {
      aheadMs += ms;
    },
    stopClock: () => {
      stoppedAtMs = Date.now();
      return () => {
        stoppedAtMs = undefined;
      };
    },
    afterRestart: newContext,
    lobby: async (name) => (await listLobbies(context.db)).find((lobby) => lobby.name === name)!,
    newWallet: async (grant = { lamports: 10_000_000_000n }) => {
      const wallet = await generateKeyPairSigner();
      if (grant.lamports || grant.tokens) await chain.test!.fund(wallet.address, grant);
      return wallet;
    },
    superAdminKeypair: () => readFileSync(join(folder, 'keys/super-admin.json'), 'utf8'),
    payoutKeypair: () => readFileSync(join(folder, 'keys/payout-key.json'), 'utf8'),
    sendFrom: (payer, instruction) => sendInstruction(chain, payer, instruction),
    dispose: async () => {
      for (const close of closers) close();
      await chain.stop();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sendInstruction(
  { rpc }: Chain,
  payer: KeyPairSigner,
  instruction: Instruction,
): Promise<void> {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const signed = await signForSending(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions([instruction], message),
    ),
  );
  await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
  await awaitFinality({ rpc, ...signed, pollMs: 20 });
}
