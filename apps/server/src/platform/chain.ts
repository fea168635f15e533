import { fileURLToPath } from 'node:url';
import { readGlobalConfig } from '@engulf/chain/read-configs';
import type { Fund } from '@engulf/localnet/faucet';
import {
  type Address,
  address,
  createKeyPairSignerFromBytes,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { connectRpc, waitForNode } from './node-rpc.ts';

export type Chain = {
  readonly mode: 'embedded' | 'external';
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Further nodes of other providers: sent to as well, and asked before anything is signed again. */
  readonly backups: readonly Rpc<SolanaRpcApi>[];
  /** The most that a payout transaction may bid for its place in a block. */
  readonly maxPriorityFeeLamports: bigint;
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
  return config.kind === 'embedded' ? startEmbedded(config, logger) : connect(config, logger);
}

type EmbeddedConfig = Extract<Config['chain'], { kind: 'embedded' }>;
type ExternalConfig = Extract<Config['chain'], { kind: 'external' }>;

const EMBEDDED_PRIORITY_FEE_LAMPORTS = 10_000n;

async function startEmbedded(config: EmbeddedConfig, logger: Logger): Promise<Chain> {
  // Imported here only: a server on a public cluster does not load the embedded chain.
  const { startLocalnet } = await import('@engulf/localnet/start-localnet');
  const net = await startLocalnet({
    dataDir: config.folder,
    rpcPort: config.rpcPort,
    wsPort: config.wsPort,
    programSoPath: fileURLToPath(import.meta.resolve('@engulf/arena-program/arena.so')),
    logger: { info: (message) => logger.info(message), error: (message) => logger.error(message) },
    ...(config.slotTimeMs !== undefined && { slotTimeMs: config.slotTimeMs }),
  });
  return {
    mode: 'embedded',
    rpc: connectRpc(net.rpcUrl),
    backups: [],
    maxPriorityFeeLamports: EMBEDDED_PRIORITY_FEE_LAMPORTS,
    publicRpcUrl: net.rpcUrl,
    publicWsUrl: net.wsUrl,
    programId: net.programId,
    treasury: net.treasury,
    superAdmin: net.superAdmin,
    test: { fund: net.fund, token: net.testToken },
    stop: () => net.stop(),
  };
}

async function connect(config: ExternalConfig, logger: Logger): Promise<Chain> {
  const [rpc, ...backups] = config.rpcUrls.map(connectRpc);
  if (!rpc) throw new Error('No Solana node is configured');
  const programId = address(config.programId);
  const globalConfig = await waitForNode(() => readGlobalConfig(rpc, programId), logger);
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
    backups,
    maxPriorityFeeLamports: config.maxPriorityFeeLamports,
    publicRpcUrl: config.publicRpcUrl,
    publicWsUrl: config.publicWsUrl,
    programId,
    treasury: globalConfig.platformTreasury,
    superAdmin,
    test: undefined,
    stop: async () => undefined,
  };
}
