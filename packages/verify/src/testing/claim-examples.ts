import { randomUUID } from 'node:crypto';
import type { Lobby } from '@engulf/chain/accounts/read-configs';
import { createClaimCounterInstruction, setPayoutKeyInstruction } from '@engulf/chain/admin/lobby-admin';
import { compact } from '@engulf/chain/anchors/anchor-memo';
import { getClaimRewardInstructionAsync } from '@engulf/chain/generated/instructions/claimReward';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import { buildClaimMessage, MEMO_PROGRAM } from '@engulf/chain/payouts/claim-message';
import { signInstructions } from '@engulf/localnet/testing/load';
import { type Address, getUtf8Encoder } from '@solana/kit';
import { type ExampleChain, MATCHES } from './example-chain.ts';
import { STAKES } from './join-examples.ts';
import type { ExampleClaim, TransactionExample } from './transaction-examples.ts';

type Wallets = { readonly alice: Address; readonly bob: Address; readonly carol: Address };
type Reward = { readonly player: Address; readonly amount: bigint };

const FIRST = { commitment: MATCHES.first, hash: MATCHES.finalHash };
const SECOND = { commitment: MATCHES.second, hash: MATCHES.storedHash };
const SECOND_BEFORE_ALL = { commitment: MATCHES.second, hash: null };

/** One of each instruction that pays. The first that is made in order returns a join of alice. */
export async function claimExamples(
  on: ExampleChain,
  { alice, bob, carol }: Wallets,
  joinOfAlice: string,
): Promise<TransactionExample[]> {
  const { net, lobbies, sol, token } = on;
  const { programId, superAdmin, payoutKey } = net;
  const toBoth = [bob, carol].map((player, index) => ({ player, amount: 2_000_000n + BigInt(index) }));
  const examples: TransactionExample[] = [
    { what: 'a claim for one player', ...(await claimReward(on, { player: bob, amount: 1_000_000n })) },
    {
      what: 'a claim for two matches, one of which has nothing stored yet',
      ...(await claimRewards(on, toBoth)),
    },
  ];

  for (const { lobbyId } of [sol, token])
    await lobbies.sendAsAdmin(await createClaimCounterInstruction({ programId, superAdmin, lobbyId }));
  const refund = [{ player: alice, amount: STAKES.sol }];
  const returned = [joinOfAlice.slice(0, 12)];
  examples.push({
    what: 'a claim in order, which returns the first join',
    ...(await claimInOrder(on, sol, refund, { matches: [], returned })),
  });

  const granted = {
    key: payoutKey.address,
    maxClaim: 4_000_001n,
    maxWindow: 4_000_001n,
    windowSlots: 9_000n,
  };
  const { lobbyId } = token;
  const grant = { programId, superAdmin, lobbyId, payoutKey: granted };
  await lobbies.sendAsAdmin(await setPayoutKeyInstruction(grant));
  examples.push({
    what: 'a claim by a payout key, in a token',
    ...(await claimInOrder(on, token, toBoth, { matches: [SECOND], returned: [] }, granted)),
  });
  return examples;
}

type Made = Pick<TransactionExample, 'signature' | 'answer' | 'claim'>;
type Named = Pick<ExampleClaim, 'matches' | 'returned'>;

async function claimReward(on: ExampleChain, reward: Reward): Promise<Made> {
  const { rpc, net, sol, land } = on;
  const [batch, named] = [randomUUID(), { matches: [FIRST], returned: [] }];
  const memo = `${batch} ${wordsOf(named)}`;
  const instruction = await getClaimRewardInstructionAsync(
    { ...reward, lobbyConfig: sol.address, superAdmin: net.superAdmin },
    { programAddress: net.programId },
  );
  const beside = { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(memo) };
  const made = await land(await signInstructions(rpc, net.superAdmin, [instruction, beside]));
  const claim = { instruction: 'claim_reward', number: null, batch, memo } as const;
  return { ...made, claim: { ...claim, payments: paymentsOf(on, sol, [reward]), ...named } };
}

async function claimRewards(on: ExampleChain, rewards: readonly Reward[]): Promise<Made> {
  const { rpc, net, sol: lobby, land } = on;
  const [batch, named] = [randomUUID(), { matches: [FIRST, SECOND_BEFORE_ALL], returned: [] }];
  const request = { rpc, ...net, lobby, rewards, batchId: batch, payoutKey: undefined };
  const { message } = await buildClaimBatch({ ...request, proofs: wordsOf(named).split(' ') });
  const made = await land(await signForSending(message!));
  const memo = `${batch} ${wordsOf(named)}`;
  const claim = { instruction: 'claim_multiple_rewards', number: null, batch, memo } as const;
  return { ...made, claim: { ...claim, payments: paymentsOf(on, lobby, rewards), ...named } };
}

/** By the super admin, or by the key that was granted the right to. */
async function claimInOrder(
  on: ExampleChain,
  lobby: Lobby,
  rewards: readonly Reward[],
  named: Named,
  granted?: { readonly maxClaim: bigint },
): Promise<Made> {
  const { rpc, net, land } = on;
  const [batch, memo] = [randomUUID(), wordsOf(named)];
  const payoutKey = granted && { key: net.payoutKey.address, maxTotal: granted.maxClaim };
  const request = { rpc, ...net, lobby, rewards, batchId: batch, number: 0n, payoutKey };
  const { description } = await buildClaimBatch({ ...request, proofs: memo.split(' ') });
  const message = await buildClaimMessage(description, granted ? net.payoutKey : net.superAdmin);
  const made = await land(await signForSending(message));
  const instruction = granted ? 'claim_by_payout_key' : 'claim_in_order';
  const claim = { instruction, number: '0', batch, memo } as const;
  return { ...made, claim: { ...claim, payments: paymentsOf(on, lobby, rewards), ...named } };
}

/** Put together here, and not by the code that reads them. */
function wordsOf({ matches, returned }: Named): string {
  const words = matches.map(({ commitment, hash }) =>
    [commitment, ...(hash === null ? [] : [hash])].map(compact).join(':'),
  );
  return [...words, ...(returned.length > 0 ? [`refund:${returned.join(',')}`] : [])].join(' ');
}

function paymentsOf({ inPool }: ExampleChain, lobby: Lobby, rewards: readonly Reward[]) {
  return rewards.map(({ player, amount }) => ({ ...inPool(lobby), wallet: player, amount: `${amount}` }));
}
