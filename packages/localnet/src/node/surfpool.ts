import { parseJsonWithBigInts, stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import { startForkOrigin } from './fork-origin.ts';
import type { RpcReply } from './json-rpc.ts';
import { spawnSurfpool } from './spawn-surfpool.ts';

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

const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Starts a chain whose first slot and block height are `startSlot`.
 *
 * Surfpool counts from zero at every start and derives its blockhashes from that count, so after a restart it would
 * accept old transactions a second time. Only resetting a forked chain sets the count, so it is told to fork a chain
 * that is at `startSlot` and has no accounts.
 */
export async function startSurfpool(options: {
  startSlot: bigint;
  slotTimeMs: number;
  onEnd(reason: string): void;
}): Promise<Surfpool> {
  const origin = await startForkOrigin(options.startSlot);
  const config = {
    remoteRpcUrl: origin.url,
    blockProductionMode: 'clock',
    slotTimeMs: options.slotTimeMs,
    airdropSol: 0,
  } as const;
  const net = await spawnSurfpool(config, options.onEnd).catch((error) => {
    origin.stop();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await net.stop();
    origin.stop();
  };

  const forward = async (body: string): Promise<string> => {
    const response = await fetch(net.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return response.text();
  };
  const call = async (method: string, params: readonly unknown[]): Promise<RpcReply> => {
    const body = stringifyJsonWithBigInts({ jsonrpc: '2.0', id: 1, method, params });
    return parseJsonWithBigInts(await forward(body)) as RpcReply;
  };
  const command = async (method: string, params: readonly unknown[]): Promise<void> => {
    const reply = await call(method, params);
    if ('error' in reply) throw new Error(`${method} failed: ${reply.error.message}`);
  };

  await command('surfnet_resetNetwork', []).catch(async (error) => {
    await stop();
    throw error;
  });
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
    stop,
  };
}
