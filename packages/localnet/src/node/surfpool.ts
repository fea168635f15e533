import { createRequire } from 'node:module';
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import { startForkOrigin } from './fork-origin.ts';
import type { RpcReply } from './json-rpc.ts';

export type AccountState = {
  readonly address: string;
  readonly lamports: bigint;
  readonly owner: string;
  readonly executable: boolean;
  readonly data: Uint8Array;
};

/** The running chain, in memory and on ports of its own. The layers above add persistence and fixed ports. */
export type Surfpool = {
  readonly wsUrl: string;
  /** Integers are returned as bigint: lamports and rent epochs do not fit into a number. */
  call(method: string, params: readonly unknown[]): Promise<RpcReply>;
  /** Request and answer as text, so that nothing is lost in conversion. */
  forward(body: string): Promise<string>;
  setAccount(account: AccountState): Promise<void>;
  stop(): Promise<void>;
};

const BUSY_DRAIN_MS = 50;
const IDLE_DRAIN_MS = 2_000;
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Starts a chain whose first slot and block height are `startSlot`.
 *
 * Surfpool counts from zero at every start and derives its blockhashes from that count, so after a restart it would
 * accept old transactions a second time. Only resetting a forked chain sets the count, so it is told to fork a chain
 * that is at `startSlot` and has no accounts.
 */
export async function startSurfpool(options: { startSlot: bigint; slotTimeMs: number }): Promise<Surfpool> {
  const origin = await startForkOrigin(options.startSlot);
  const net = loadSurfnet().startWithConfig({
    remoteRpcUrl: origin.url,
    blockProductionMode: 'clock',
    slotTimeMs: options.slotTimeMs,
    airdropSol: 0,
  });
  // Its event queue is bounded: without draining, every request hangs after some 800 transactions. Requests cause those.
  const drainEvery = (ms: number) => setInterval(() => net.drainEvents(), ms);
  const drain = drainEvery(IDLE_DRAIN_MS);

  const forward = async (body: string): Promise<string> => {
    const busyDrain = drainEvery(BUSY_DRAIN_MS);
    try {
      const response = await fetch(net.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      return await response.text();
    } finally {
      clearInterval(busyDrain);
      net.drainEvents();
    }
  };
  const call = async (method: string, params: readonly unknown[]): Promise<RpcReply> => {
    const body = stringifyJsonWithBigInts({ jsonrpc: '2.0', id: 1, method, params });
    return parseJsonWithBigInts(await forward(body)) as RpcReply;
  };
  const command = async (method: string, params: readonly unknown[]): Promise<void> => {
    const reply = await call(method, params);
    if ('error' in reply) throw new Error(`${method} failed: ${reply.error.message}`);
  };

  await command('surfnet_resetNetwork', []);
  return {
    wsUrl: net.wsUrl,
    call,
    forward,
    setAccount: (account) =>
      command('surfnet_setAccount', [
        account.address,
        {
          lamports: account.lamports,
          owner: account.owner,
          executable: account.executable,
          data: Buffer.from(account.data).toString('hex'),
        },
      ]),
    stop: async () => {
      clearInterval(drain);
      net.stop();
      await origin.stop();
    },
  };
}

type Surfnet = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  drainEvents(): unknown[];
  stop(): void;
};

type SurfnetClass = {
  startWithConfig(config: {
    remoteRpcUrl: string;
    blockProductionMode: 'clock';
    slotTimeMs: number;
    airdropSol: number;
  }): Surfnet;
};

const NATIVE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@solana/surfpool-linux-x64-gnu',
  'darwin-arm64': '@solana/surfpool-darwin-arm64',
  'darwin-x64': '@solana/surfpool-darwin-x64',
};

/** This machine cannot run the embedded chain. */
class ChainNotSupported extends Error {
  override name = 'ChainNotSupported';
}

function loadSurfnet(): SurfnetClass {
  const platform = `${process.platform}-${process.arch}`;
  const name = NATIVE_PACKAGES[platform];
  const remedy = `It runs on ${Object.keys(NATIVE_PACKAGES).join(', ')}. Elsewhere set SOLANA_RPC_URL, SOLANA_WS_URL and PROGRAM_ID to use another chain.`;
  if (name === undefined) {
    throw new ChainNotSupported(`The embedded chain does not run on ${platform}. ${remedy}`);
  }
  try {
    return (createRequire(import.meta.url)(name) as { Surfnet: SurfnetClass }).Surfnet;
  } catch (cause) {
    // On Linux it needs glibc.
    const problem = `The embedded chain cannot be loaded on this ${platform}: ${(cause as Error).message}`;
    throw new ChainNotSupported(`${problem}\n${remedy}`, { cause });
  }
}
