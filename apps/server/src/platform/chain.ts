import { fileURLToPath } from 'node:url';
import { readGlobalConfig } from '@engulf/chain/read-configs';
import type { Fund } from '@engulf/localnet/faucet';
import {
  type Address,
  address,
  createDefaultRpcTransport,
  createKeyPairSignerFromBytes,
  createSolanaRpcFromTransport,
  type KeyPairSigner,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

export type Chain = {
  readonly mode: 'embedded' | 'external';
  readonly rpc: Rpc<SolanaRpcApi>;
  /** What browsers are told to use. */
  readonly publicRpcUrl: string;
  readonly publicWsUrl: string;
  readonly programId: Address;
  readonly treasury: Address;
  /** Creates lobbies and signs payouts. Undefined in processes that do neither. */
  readonly superAdmin: KeyPairSigner | undefined;
  /** The embedded chain's own money. */
  readonly test: TestMoney | undefined;
  stop(): Promise<void>;
};

export type TestMoney = {
  readonly fund: Fund;
  readonly token: { readonly mint: Address; readonly symbol: string; readonly decimals: number };
};

export async function openChain(config: Config['chain'], logger: Logger): Promise<Chain> {
  return config.kind === 'embedded' ? startEmbedded(config, logger) : connect(config);
}

type EmbeddedConfig = Extract<Config['chain'], { kind: 'embedded' }>;
type ExternalConfig = Extract<Config['chain'], { kind: 'external' }>;

async function startEmbedded(config: EmbeddedConfig, logger: Logger): Promise<Chain> {
  // Imported here only: a server on a public cluster does not load the embedded chain.
  const { startLocalnet } = await import('@engulf/localnet/start-localnet');
  const net = await startLocalnet({
    dataDir: config.folder,
    rpcPort: config.rpcPort,
    wsPort: config.wsPort,
    pageOrigins: config.pageOrigins,
    programSoPath: fileURLToPath(import.meta.resolve('@engulf/arena-program/arena.so')),
    logger: { info: (message) => logger.info(message), error: (message) => logger.error(message) },
    ...(config.slotTimeMs !== undefined && { slotTimeMs: config.slotTimeMs }),
  });
  return {
    mode: 'embedded',
    rpc: connectRpc(net.rpcUrl),
    publicRpcUrl: net.rpcUrl,
    publicWsUrl: net.wsUrl,
    programId: net.programId,
    treasury: net.treasury,
    superAdmin: net.superAdmin,
    test: { fund: net.fund, token: net.testToken },
    stop: () => net.stop(),
  };
}

async function connect(config: ExternalConfig): Promise<Chain> {
  const rpc = connectRpc(config.rpcUrl);
  const programId = address(config.programId);
  const globalConfig = await readGlobalConfig(rpc, programId);
  if (!globalConfig) throw new Error(`The program ${programId} is not set up on this chain`);
  const superAdmin =
    config.superAdminKeypair && (await createKeyPairSignerFromBytes(config.superAdminKeypair));
  if (superAdmin && superAdmin.address !== globalConfig.superAdmin) {
    throw new Error(
      `SUPER_ADMIN_KEYPAIR is ${superAdmin.address}; the program obeys ${globalConfig.superAdmin}`,
    );
  }
  return {
    mode: 'external',
    rpc,
    publicRpcUrl: config.publicRpcUrl,
    publicWsUrl: config.publicWsUrl,
    programId,
    treasury: globalConfig.platformTreasury,
    superAdmin,
    test: undefined,
    stop: async () => undefined,
  };
}

const NODE_ANSWERS_WITHIN_MS = 15_000;

/** A node that accepts a request and never answers must not block a payout for ever. */
function connectRpc(url: string): Rpc<SolanaRpcApi> {
  const transport = createDefaultRpcTransport({ url });
  const withTimeout: RpcTransport = ({ payload, signal }) => {
    const timeout = AbortSignal.timeout(NODE_ANSWERS_WITHIN_MS);
    return transport({ payload, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  };
  return createSolanaRpcFromTransport(withTimeout);
}
