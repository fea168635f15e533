import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awaitFinality, type TransactionFate } from '@engulf/chain/node/await-finality';
import type { SignedTransaction } from '@engulf/chain/node/signed-transaction';
import { createSolanaRpc, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../start-localnet.ts';
import { PROGRAM_SO, placeTestChain } from './chain-template.ts';
import { findFreePorts } from './free-ports.ts';
import type { TestRpc } from './load.ts';

export type TestLocalnet = {
  readonly options: LocalnetOptions;
  readonly net: Localnet;
  readonly rpc: TestRpc;
  newWallet(grant?: Parameters<Localnet['fund']>[1]): Promise<KeyPairSigner>;
  sendAndFinalize(signed: SignedTransaction, options?: { skipPreflight: boolean }): Promise<TransactionFate>;
  restart(changes?: Partial<LocalnetOptions>): Promise<void>;
  dispose(): Promise<void>;
};

type TestOptions = {
  /** It has the program and the token already; otherwise its first start sets them up. */
  readonly isSetUp?: boolean;
};

/** A chain in a temporary folder, with slots short enough to wait for finality. */
export async function startTestLocalnet(
  changes: Partial<LocalnetOptions> = {},
  { isSetUp = true }: TestOptions = {},
): Promise<TestLocalnet> {
  const options: LocalnetOptions = {
    dataDir: mkdtempSync(join(tmpdir(), 'engulf-localnet-')),
    ...(await findFreePorts()),
    slotTimeMs: 50,
    programSoPath: PROGRAM_SO,
    ...changes,
  };
  if (isSetUp) await placeTestChain(options.dataDir);
  let net = await startLocalnet(options);
  const rpc = createSolanaRpc(net.rpcUrl);
  return {
    options,
    rpc,
    get net() {
      return net;
    },
    newWallet: async (grant = { lamports: 10_000_000_000n }) => {
      const wallet = await generateKeyPairSigner();
      if (grant.lamports || grant.tokens) await net.fund(wallet.address, grant);
      return wallet;
    },
    sendAndFinalize: async (signed, { skipPreflight } = { skipPreflight: false }) => {
      await rpc.sendTransaction(signed.wire, { encoding: 'base64', skipPreflight }).send();
      return awaitFinality({ rpc, ...signed, pollMs: 20 });
    },
    restart: async (changes = {}) => {
      await net.stop();
      net = await startLocalnet({ ...options, ...changes });
    },
    dispose: async () => {
      await net.stop();
      rmSync(options.dataDir, { recursive: true });
    },
  };
}
