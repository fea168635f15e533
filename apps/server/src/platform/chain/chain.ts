import { fileURLToPath } from 'node:url';
import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import type { Fund } from '@engulf/localnet/setup/faucet';
import {
  type Address,
  address,
  createKeyPairSignerFromBytes,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type ClosedKey, closeKey } from '../super-admin-key.ts';
import { checkPublicNode, connectNodes, connectRpc, waitForNode } from './node-rpc.ts';

export type Chain = {
  readonly mode: 'embedded' | 'external';
  /** Whichever node answers. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Each for itself, for what one provider is not believed about: payments, pools, and that a claim did not land. */
  readonly nodes: readonly Rpc<SolanaRpcApi>[];
  /** What browsers are told to use. */
  readonly publicRpcUrl: string;
  readonly publicWsUrl: string;
  readonly programId: Address;
  /** The program's super admin, treasury and fee. Read from the chain at most every few seconds. */
  readPlatform(): Promise<Platform>;
  /** Creates lobbies and signs payouts. Undefined in processes that do neither. */
  readonly superAdminKey: ClosedKey | undefined;
  /** Signs payouts of the lobbies for which the super admin has set it, within limits that the chain checks. */
  readonly payoutKey: ClosedKey | undefined;
  /** Publishes what matches are bound to. It has no power over anything; undefined: nothing is published. */
  readonly anchorKey: KeyPairSigner | undefined;
  /** Test money of the embedded chain. */
  readonly test: TestMoney | undefined;
  stop(): Promise<void>;
};

export type Platform = {
  readonly superAdmin: Address;
  readonly treasury: Address;
  readonly feeBasisPoints: number;
};

export type TestMoney = {
  readonly fund: Fund;
  readonly token: { readonly mint: Address; readonly symbol: string; readonly decimals: number };
};

type ChainOptions = {
  /** A chain that is not set up yet, or has another super admin, is opened as well. */
  readonly isForOperator?: boolean;
};

export async function openChain(
  config: Config['chain'],
  logger: Logger,
  { isForOperator = false }: ChainOptions = {},
): Promise<Chain> {
  if (config.kind === 'embedded') return startEmbedded(config, logger);
  return connect(config, logger, isForOperator);
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
    logger: {
      info: (message) => logger.info(message),
      error: (message) => logger.error({ code: 'LOCALNET_FAILED' }, message),
    },
    ...(config.slotTimeMs !== undefined && { slotTimeMs: config.slotTimeMs }),
    ...(config.finalitySlots !== undefined && { finalitySlots: config.finalitySlots }),
  });
  const rpc = connectRpc(net.rpcUrl);
  return {
    mode: 'embedded',
    rpc,
    nodes: [rpc],
    publicRpcUrl: net.rpcUrl,
    publicWsUrl: net.wsUrl,
    programId: net.programId,
    readPlatform: createPlatformReader(rpc, net.programId, logger),
    superAdminKey: closeKey(net.superAdmin),
    payoutKey: closeKey(net.payoutKey),
    anchorKey: net.anchor,
    test: { fund: net.fund, token: net.testToken },
    stop: () => net.stop(),
  };
}

async function connect(config: ExternalConfig, logger: Logger, isForOperator: boolean): Promise<Chain> {
  const { rpc, nodes } = await connectNodes(config.rpcUrls, logger, isForOperator);
  const programId = address(config.programId);
  const globalConfig = await waitForNode(() => readGlobalConfig(rpc, programId), logger);
  if (!isForOperator && config.publicRpcUrl !== config.rpcUrls[0])
    await checkPublicNode(rpc, config.publicRpcUrl, logger);
  const key = config.superAdminKeypair && (await createKeyPairSignerFromBytes(config.superAdminKeypair));
  const payoutKey = config.payoutKeypair && (await createKeyPairSignerFromBytes(config.payoutKeypair));
  if (!isForOperator) expectSetUp(programId, key?.address, globalConfig?.superAdmin);
  return {
    mode: 'external',
    rpc,
    nodes,
    publicRpcUrl: config.publicRpcUrl,
    publicWsUrl: config.publicWsUrl,
    programId,
    readPlatform: createPlatformReader(rpc, programId, logger),
    superAdminKey: key && closeKey(key),
    payoutKey: payoutKey && closeKey(payoutKey),
    anchorKey: config.anchorKeypair && (await createKeyPairSignerFromBytes(config.anchorKeypair)),
    test: undefined,
    stop: async () => undefined,
  };
}

function expectSetUp(programId: Address, key: Address | undefined, superAdmin: Address | undefined): void {
  if (superAdmin === undefined) {
    throw new Error(
      `The program ${programId} is not set up on this chain. Run: npm run engulf -- chain init --help`,
    );
  }
  if (key !== undefined && key !== superAdmin) {
    throw new Error(`SUPER_ADMIN_KEYPAIR is ${key}; the program obeys ${superAdmin}`);
  }
}

const PLATFORM_CACHE_MS = 5_000;

/**
 * The super admin can change treasury and fee at any time, and hand over the role. While the node does not answer, the
 * last known values are returned: the page compares them with the chain before anyone pays.
 */
export function createPlatformReader(
  rpc: Parameters<typeof readGlobalConfig>[0],
  programId: Address,
  logger: Pick<Logger, 'warn'>,
  nowMs: () => number = () => performance.now(),
): () => Promise<Platform> {
  let last: Platform | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    try {
      const config = await readGlobalConfig(rpc, programId);
      if (!config) throw new Error(`The program ${programId} is not set up on this chain`);
      last = {
        superAdmin: config.superAdmin,
        treasury: config.platformTreasury,
        feeBasisPoints: config.platformFeeBasisPoints,
      };
      readAtMs = nowMs();
    } catch (error) {
      if (!last) throw error;
      logger.warn(
        { code: 'NODE_UNAVAILABLE', err: error },
        'the state of the program could not be read; the last one is used',
      );
    }
  };
  return async () => {
    if (nowMs() - readAtMs >= PLATFORM_CACHE_MS) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
    }
    return last!;
  };
}
