import { getLobbyConfigEncoder } from '@engulf/chain/generated/accounts/lobbyConfig';
import { getClaimMultipleRewardsInstructionDataDecoder } from '@engulf/chain/generated/instructions/claimMultipleRewards';
import {
  type Address,
  address,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';

/*
 * A chain in a few lines, fast enough for thousands of payouts: it knows one lobby, claims, and nodes that lag, forget
 * or are away. A claim that was sent can land as long as its blockhash is young, once.
 */

export const RESERVE = 1_000_000n;
const NOBODY = address('11111111111111111111111111111111');
const LIFETIME_BLOCKS = 150;
const REFUSED = { InstructionError: [0, { Custom: 6005 }] };
const WORKS = { err: null, unitsConsumed: 20_000n };

type Landed = { readonly slot: number; readonly isFailed: boolean; readonly memo: string };

export type FakeChain = {
  height: number;
  readonly landed: Map<string, Landed>;
  /** By wallet. */
  readonly received: Map<string, bigint>;
  /** Wallets that cannot be paid now: a claim fails with each of them. */
  readonly unpayable: Set<string>;
  pay(amount: bigint, signature: string): void;
  pool(): bigint;
  /** Puts every claim that still can into a block. */
  land(isFailing: boolean): void;
  node(view: NodeView): Rpc<SolanaRpcApi>;
};

/** How a node sees the chain. */
export type NodeView = { lagBlocks: number; knowsSince: number; isAway: boolean };

export function createFakeChain(programId: Address, lobbyConfig: Address, lobbyId: bigint): FakeChain {
  const sent = new Map<string, string>();
  /** The pool after each block that changed it. */
  const pools: { slot: number; amount: bigint }[] = [{ slot: 0, amount: 0n }];
  const poolAt = (slot: number) => pools.findLast((pool) => pool.slot <= slot)!.amount;
  const change = (amount: bigint) => {
    chain.height++;
    pools.push({ slot: chain.height, amount: chain.pool() + amount });
  };
  const isRefused = ({ rewards }: ReturnType<typeof readClaim>) =>
    rewards.some(({ player }) => chain.unpayable.has(player));
  const chain: FakeChain = {
    height: 1_000,
    landed: new Map(),
    received: new Map(),
    unpayable: new Set(),
    pay: (amount, signature) => {
      change(amount);
      chain.landed.set(signature, { slot: chain.height, isFailed: false, memo: '' });
    },
    pool: () => pools.at(-1)!.amount,
    land: (isFailing) => {
      for (const [signature, wire] of sent) {
        const claim = readClaim(wire, programId);
        if (chain.landed.has(signature) || claim.lastValidHeight < chain.height) continue;
        const total = claim.rewards.reduce((sum, { amount }) => sum + amount, 0n);
        const isFailed = isFailing || isRefused(claim) || total > chain.pool();
        change(isFailed ? 0n : -total);
        chain.landed.set(signature, { slot: chain.height, isFailed, memo: claim.memo });
        if (isFailed) continue;
        for (const { player, amount } of claim.rewards) {
          chain.received.set(player, (chain.received.get(player) ?? 0n) + amount);
        }
      }
    },
    node: (view) => answerWith((method, params) => answer(view, method, params)),
  };

  // biome-ignore lint/suspicious/noExplicitAny: the answers of a node have nothing in common
  function answer(view: NodeView, method: string, params: readonly any[]): unknown {
    if (view.isAway) throw new Error('timeout');
    const slot = BigInt(chain.height - view.lagBlocks);
    const context = { slot };
    if (BigInt(params[1]?.minContextSlot ?? 0) > slot) throw new Error('the node is behind');
    const known = (signature: string) => {
      const landed = chain.landed.get(signature);
      return landed && BigInt(landed.slot) <= slot && landed.slot >= view.knowsSince ? landed : undefined;
    };
    const errorOf = ({ isFailed }: Landed) => (isFailed ? REFUSED : null);
    switch (method) {
      case 'getBlockHeight':
        return slot;
      case 'getEpochInfo':
        return { absoluteSlot: slot, blockHeight: slot };
      case 'getLatestBlockhash':
        return {
          context,
          value: { blockhash: blockhashAt(slot), lastValidBlockHeight: slot + BigInt(LIFETIME_BLOCKS) },
        };
      case 'getMinimumBalanceForRentExemption':
        return 0n;
      case 'getMultipleAccounts':
        return { context, value: params[0].map(() => null) };
      case 'getRecentPrioritizationFees':
        return [];
      case 'simulateTransaction':
        return {
          context,
          value: isRefused(readClaim(params[0], programId)) ? { err: REFUSED } : WORKS,
        };
      case 'sendTransaction': {
        const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(params[0]));
        sent.set(getSignatureFromTransaction(transaction), params[0]);
        return undefined;
      }
      case 'getAccountInfo': {
        const lamports = RESERVE + poolAt(Number(slot));
        return {
          context,
          value: {
            data: [lobbyData(lobbyId), 'base64'],
            owner: programId,
            lamports,
            executable: false,
            space: 0n,
          },
        };
      }
      case 'getSignatureStatuses': {
        const landed = known(params[0][0]);
        const status = landed && {
          slot: BigInt(landed.slot),
          err: errorOf(landed),
          confirmationStatus: 'finalized',
        };
        return { context, value: [status ?? null] };
      }
      case 'getTransaction': {
        const landed = known(params[0]);
        return landed ? { slot: BigInt(landed.slot), meta: { err: errorOf(landed) } } : null;
      }
      case 'getSignaturesForAddress':
        return [...chain.landed.keys()]
          .filter((signature) => params[0] === lobbyConfig && known(signature))
          .map((signature) => ({ signature, landed: chain.landed.get(signature)! }))
          .sort((a, b) => b.landed.slot - a.landed.slot)
          .map(({ signature, landed }) => ({
            signature,
            slot: BigInt(landed.slot),
            err: errorOf(landed),
            memo: `[36] ${landed.memo}`,
          }));
    }
    throw new Error(`the node does not know ${method}`);
  }
  return chain;
}

function answerWith(answer: (method: string, params: readonly unknown[]) => unknown): Rpc<SolanaRpcApi> {
  const methods = new Proxy(
    {},
    {
      get:
        (_, method) =>
        (...params: unknown[]) => ({ send: async () => answer(String(method), params) }),
    },
  );
  return methods as Rpc<SolanaRpcApi>;
}

/** The height is in the hash, so that a claim's lifetime can be read from it. */
function blockhashAt(height: bigint): string {
  const bytes = new Uint8Array(32).fill(1);
  new DataView(bytes.buffer).setBigUint64(24, height);
  return getBase58Decoder().decode(bytes);
}

function lobbyData(lobbyId: bigint): string {
  const bytes = getLobbyConfigEncoder().encode({
    lobbyId,
    tokenMint: NOBODY,
    entryFeeAmount: 1n,
    rewardPoolTokenAccount: NOBODY,
    isSolLobby: true,
    bump: 255,
    reserveLamports: RESERVE,
  });
  return getBase64Decoder().decode(bytes);
}

function readClaim(wire: string, programId: Address) {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new Error('Claims are of version 0');
  const { instructions, staticAccounts: keys, lifetimeToken } = message;
  const claim = instructions.find(({ programAddressIndex }) => keys[programAddressIndex] === programId)!;
  const { amounts } = getClaimMultipleRewardsInstructionDataDecoder().decode(claim.data!);
  const players = claim.accountIndices!.slice(-amounts.length).map((index) => keys[index]!);
  const texts = instructions.map(({ data }) => Buffer.from(data ?? []).toString('latin1'));
  const hash = Buffer.from(getBase58Encoder().encode(lifetimeToken));
  return {
    memo: texts.find((text) => /^[0-9a-f-]{36}$/.test(text))!,
    rewards: players.map((player, index) => ({ player, amount: amounts[index]! })),
    lastValidHeight: Number(hash.readBigUInt64BE(24)) + LIFETIME_BLOCKS,
  };
}
