import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address, KeyPairSigner } from '@solana/kit';
import { type Journal, openJournal } from './journal/journal.ts';
import { createSequencer } from './journal/sequencer.ts';
import { createFinality } from './node/finality.ts';
import { keepSlotsReserved, reserveStartSlot } from './node/slot-reservation.ts';
import { type Surfpool, startSurfpool } from './node/surfpool.ts';
import { journalAnswers } from './rpc/journal-answers.ts';
import { startRpcServer } from './rpc/rpc-server.ts';
import { createSignatureSubscriptions } from './rpc/signature-subscriptions.ts';
import { startWsServer } from './rpc/ws-server.ts';
import { airdropAnswer, createFaucet, type Fund } from './setup/faucet.ts';
import { type LocalnetKeys, loadOrCreateKeys } from './setup/keys.ts';
import { provision, TEST_TOKEN } from './setup/provision.ts';
import { createSendInstructions } from './setup/send-instructions.ts';

export type LocalnetOptions = {
  /** Holds the keys and the journal. One running localnet per folder. */
  readonly dataDir: string;
  readonly rpcPort: number;
  readonly wsPort: number;
  readonly programSoPath: string;
  readonly host?: string;
  /** Origins of web pages that may use the chain, beside those on loopback. */
  readonly pageOrigins?: readonly string[];
  /** Defaults to 400 ms as on public clusters: finality after about 3 seconds, blockhashes live a minute. */
  readonly slotTimeMs?: number;
  /** Defaults to eight. Tests wait for fewer, because shorter slots would shorten the life of blockhashes too. */
  readonly finalitySlots?: number;
  /** Only used when the global config is created. */
  readonly platformFeeBasisPoints?: number;
  readonly logger?: { info(message: string): void; error(message: string): void };
};

export type Localnet = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly programId: Address;
  readonly superAdmin: KeyPairSigner;
  /** Pays out of the lobbies for which the super admin has set it. */
  readonly payoutKey: KeyPairSigner;
  readonly treasury: Address;
  /** Writes what matches publish before and after. */
  readonly anchor: KeyPairSigner;
  readonly testToken: { readonly mint: Address; readonly symbol: string; readonly decimals: number };
  readonly fund: Fund;
  stop(): Promise<void>;
};

const FAUCET_LAMPORTS = 5_000_000_000_000_000n;

export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  refuseProduction();
  const closers: (() => void | Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    return { ...(await open(options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Pushes a closer for everything it opens, so that a failed start releases it all. */
async function open(
  options: LocalnetOptions,
  closers: (() => void | Promise<void>)[],
): Promise<Omit<Localnet, 'stop'>> {
  const {
    dataDir,
    rpcPort,
    wsPort,
    host = '127.0.0.1',
    slotTimeMs = 400,
    pageOrigins = [],
    logger,
  } = options;
  mkdirSync(dataDir, { recursive: true });
  const journal = openJournal(join(dataDir, 'journal.sqlite'));
  closers.push(() => journal.close());
  const keys = await loadOrCreateKeys(join(dataDir, 'keys'));
  const surfpool = await startSurfpool({
    startSlot: reserveStartSlot(journal),
    slotTimeMs,
    onEnd: (reason) => logger?.error(`The embedded chain ended ${reason}. Start again to continue with it`),
  });
  closers.push(() => surfpool.stop());
  const reservation = keepSlotsReserved(surfpool, journal, slotTimeMs, (error) =>
    logger?.error(`Could not reserve slots for the chain: ${error}`),
  );
  closers.push(() => reservation.stop());
  await restoreAccounts(surfpool, journal, keys);

  const sequencer = createSequencer(surfpool, journal, (fault) =>
    logger?.error(`${fault.message}: ${fault.cause}`),
  );
  closers.push(() => sequencer.close());
  const send = createSendInstructions(surfpool, sequencer);
  const fund = createFaucet(keys, send);
  await provision({
    surfpool,
    keys,
    send,
    fund,
    executable: readFileSync(options.programSoPath),
    platformFeeBasisPoints: options.platformFeeBasisPoints ?? 500,
    log: (message) => logger?.info(message),
  });

  const finality = createFinality(options.finalitySlots);
  const signatures = createSignatureSubscriptions({ surfpool, journal, finality, pollMs: slotTimeMs / 2 });
  closers.push(() => signatures.close());
  const methods = {
    ...journalAnswers({ surfpool, journal, sequencer, finality }),
    requestAirdrop: airdropAnswer(fund),
  };
  const rpcServer = await startRpcServer({ host, port: rpcPort, pageOrigins, surfpool, sequencer, methods });
  closers.push(() => rpcServer.close());
  const upstreamUrl = surfpool.wsUrl;
  const wsServer = await startWsServer({
    host,
    port: wsPort,
    pageOrigins,
    upstreamUrl,
    sequencer,
    signatures,
  });
  closers.push(() => wsServer.close());

  return {
    rpcUrl: `http://${host}:${rpcPort}`,
    wsUrl: `ws://${host}:${wsPort}`,
    programId: keys.program.address,
    superAdmin: keys['super-admin'],
    payoutKey: keys['payout-key'],
    treasury: keys.treasury.address,
    anchor: keys.anchor,
    testToken: { mint: keys['test-token-mint'].address, ...TEST_TOKEN },
    fund,
  };
}

function refuseProduction(): void {
  const { NODE_ENV } = process.env;
  if (NODE_ENV !== 'production') return;
  throw new Error(
    'The embedded chain hands out free money and must not run with NODE_ENV=production. ' +
      'Set SOLANA_RPC_URL and SOLANA_WS_URL to a real cluster.',
  );
}

async function restoreAccounts(surfpool: Surfpool, journal: Journal, keys: LocalnetKeys): Promise<void> {
  if (journal.isEmpty()) {
    journal.putGenesisAccount({
      address: keys.faucet.address,
      lamports: FAUCET_LAMPORTS,
      owner: '11111111111111111111111111111111',
      executable: false,
      data: new Uint8Array(),
    });
  }
  const accounts = [...journal.accounts()];
  // Surfpool loads a program when its account is set, so its bytes must be there first.
  accounts.sort((left, right) => Number(left.executable) - Number(right.executable));
  for (const account of accounts) await surfpool.setAccount(account);
}
