import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { MAX_TRANSACTION_VERSION } from '@engulf/chain/node/read-transaction';
import { type SignedTransaction, signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import { verifyPayment } from '@engulf/chain/payments/verify-payment';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import { createSolanaRpc, generateKeyPairSigner, type KeyPairSigner, type Signature } from '@solana/kit';
import { getTokenSize } from '@solana-program/token';
import { type Localnet, startLocalnet } from '../src/start-localnet.ts';
import { findFreePorts } from '../src/testing/free-ports.ts';
import { signInstructions } from '../src/testing/load.ts';
import { type DemoRpc, Expectations, expectLobby, printBalances, readBalances } from './balances.ts';

const FEE_BASIS_POINTS = 500;
const LOBBIES = { 'SOL pool': 1n, 'GULP pool': 2n } as const;
/** Odd amounts, so that the platform's share does not divide evenly. */
const SOL_ENTRY_FEE = 100_000_019n;
const TOKEN_ENTRY_FEE = 25_000_007n;

process.exitCode = (await runDemo()) ? 0 : 1;

/** Two players enter a SOL lobby and a token lobby and are paid out. Resolves to whether every unit adds up. */
async function runDemo(): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engulf-demo-'));
  const net = await startLocalnet({
    dataDir,
    ...(await findFreePorts()),
    programSoPath: fileURLToPath(import.meta.resolve('@engulf/arena-program/arena.so')),
    platformFeeBasisPoints: FEE_BASIS_POINTS,
    logger: console,
  });
  try {
    console.log(`Chain at ${net.rpcUrl}, program ${net.programId}\n`);
    return await play(net);
  } finally {
    await net.stop();
    rmSync(dataDir, { recursive: true });
  }
}

async function play(net: Localnet): Promise<boolean> {
  const rpc = createSolanaRpc(net.rpcUrl);
  const players = { alice: await generateKeyPairSigner(), bob: await generateKeyPairSigner() };
  for (const { address } of Object.values(players)) {
    await net.fund(address, { lamports: 2_000_000_000n, tokens: 100_000_000n });
  }
  await createLobbies(rpc, net);
  const wallets = {
    alice: players.alice.address,
    bob: players.bob.address,
    treasury: net.treasury,
    'super admin': net.superAdmin.address,
  };
  const before = await readBalances(rpc, net, wallets, LOBBIES);
  const expected = new Expectations(before);

  for (const [name, player] of Object.entries(players)) {
    await enter(rpc, net, expected, { name, player, pool: 'SOL pool', entryFee: SOL_ENTRY_FEE });
    await enter(rpc, net, expected, { name, player, pool: 'GULP pool', entryFee: TOKEN_ENTRY_FEE });
  }
  await payOut(rpc, net, expected, 'SOL pool', players);
  await payOut(rpc, net, expected, 'GULP pool', players);

  const after = await readBalances(rpc, net, wallets, LOBBIES);
  printBalances(before, after);
  const differences = expected.differences(after);
  for (const difference of differences) console.error(`WRONG ${difference}`);
  if (differences.length === 0) console.log('\nEvery unit adds up.');
  return differences.length === 0;
}

async function createLobbies(rpc: DemoRpc, net: Localnet): Promise<void> {
  const admin = { programId: net.programId, superAdmin: net.superAdmin };
  const sol = { lobbyId: LOBBIES['SOL pool'], entryFee: SOL_ENTRY_FEE, tokenMint: undefined };
  const token = {
    lobbyId: LOBBIES['GULP pool'],
    entryFee: TOKEN_ENTRY_FEE,
    tokenMint: net.testToken.mint,
  };
  const instructions = [
    await createLobbyInstruction({ ...admin, ...sol }),
    await createLobbyInstruction({ ...admin, ...token }),
  ];
  const { signature } = await send(rpc, await signInstructions(rpc, net.superAdmin, instructions));
  printTransaction('super admin creates a SOL and a GULP lobby', signature);
}

type Entry = {
  readonly name: string;
  readonly player: KeyPairSigner;
  readonly pool: keyof typeof LOBBIES;
  readonly entryFee: bigint;
};

async function enter(rpc: DemoRpc, net: Localnet, expected: Expectations, entry: Entry): Promise<void> {
  const { name, player, pool, entryFee } = entry;
  const { programId, treasury } = net;
  const lobbyId = LOBBIES[pool];
  const heardAtBlockHeight = await rpc.getBlockHeight().send();
  const join = await buildJoinTransaction({ rpc, programId, lobbyId, player, entryFee, treasury });
  if (!join.ok) throw new Error(`${name} cannot join: ${join.error.code}`);
  const { signature, networkFee, createdTokenAccounts } = await send(rpc, await signForSending(join.value));
  const tokenMint = pool === 'GULP pool' ? net.testToken.mint : undefined;
  const verdict = await verifyPayment({
    nodes: [rpc],
    signature,
    expected: { programId, lobbyId, wallet: player.address, entryFee, tokenMint },
    heardAtBlockHeight,
  });
  printTransaction(`${name} joins, ${pool}: ${verdict.kind}`, signature);
  if (verdict.kind !== 'paid') throw new Error(`The payment was not accepted: ${JSON.stringify(verdict)}`);

  expected.join(tokenMint ? 'tokens' : 'lamports', name, pool, entryFee, FEE_BASIS_POINTS);
  expected.spend(name, networkFee + createdTokenAccounts * (await tokenAccountRent(rpc)));
}

/** Alice gets three quarters of the pool, Bob the rest. */
async function payOut(
  rpc: DemoRpc,
  net: Localnet,
  expected: Expectations,
  pool: keyof typeof LOBBIES,
  players: Readonly<Record<'alice' | 'bob', KeyPairSigner>>,
): Promise<void> {
  const lobby = await expectLobby(rpc, net.programId, LOBBIES[pool]);
  const unit = lobby.isSolLobby ? 'lamports' : 'tokens';
  const total = (await readBalances(rpc, net, {}, { pool: LOBBIES[pool] })).get('pool')?.[unit] ?? 0n;
  const shareOfAlice = (total * 3n) / 4n;
  const rewards = [
    { name: 'alice', player: players.alice.address, amount: shareOfAlice },
    { name: 'bob', player: players.bob.address, amount: total - shareOfAlice },
  ];
  const { programId, superAdmin } = net;
  const batch = await buildClaimBatch({
    rpc,
    programId,
    lobby,
    superAdmin,
    rewards,
    batchId: `demo ${pool}`,
  });
  if (!batch.message || batch.paid.length !== rewards.length) throw new Error('Not every reward fits');
  const { signature, networkFee } = await send(rpc, await signForSending(batch.message));
  printTransaction(`super admin pays ${batch.paid.length} players, ${pool}`, signature);
  for (const { name, amount } of batch.paid) expected.move(unit, pool, name, amount);
  expected.spend('super admin', networkFee);
}

function tokenAccountRent(rpc: DemoRpc): Promise<bigint> {
  return rpc.getMinimumBalanceForRentExemption(BigInt(getTokenSize())).send();
}

type Receipt = {
  readonly signature: Signature;
  readonly networkFee: bigint;
  readonly createdTokenAccounts: bigint;
};

/** Waits until the transaction is final. Fees and new accounts are read from the chain, not assumed. */
async function send(rpc: DemoRpc, signed: SignedTransaction): Promise<Receipt> {
  const { signature, wire } = signed;
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  const fate = await awaitFinality({ rpc, ...signed, pollMs: 100 });
  if (fate.kind !== 'finalized') throw new Error(`A transaction did not succeed: ${JSON.stringify(fate)}`);
  const config = {
    encoding: 'json',
    commitment: 'finalized',
    maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
  } as const;
  const transaction = await rpc.getTransaction(signature, config).send();
  if (!transaction?.meta) throw new Error(`${signature} is final but cannot be read`);
  const { fee, preTokenBalances, postTokenBalances } = transaction.meta;
  const created = (postTokenBalances?.length ?? 0) - (preTokenBalances?.length ?? 0);
  return { signature, networkFee: fee, createdTokenAccounts: BigInt(created) };
}

function printTransaction(what: string, signature: Signature): void {
  console.log(`${what}\n  ${signature}`);
}
