import { getClaimCounterEncoder } from '@engulf/chain/generated/accounts/claimCounter';
import { getLobbyConfigEncoder } from '@engulf/chain/generated/accounts/lobbyConfig';
import {
  CLAIM_IN_ORDER_DISCRIMINATOR,
  getClaimInOrderInstructionDataDecoder,
} from '@engulf/chain/generated/instructions/claimInOrder';
import { getClaimMultipleRewardsInstructionDataDecoder } from '@engulf/chain/generated/instructions/claimMultipleRewards';
import {
  type Address,
  address,
  containsBytes,
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
 * A chain in a few lines, fast enough for thousands of payouts: it knows one lobby, claims, perhaps their counter, and
 * nodes that lag, lie, forget or are away. A claim that was sent can land as long as its blockhash is young, once.
 */

export const RESERVE = 1_000_000n;
const NOBODY = address('11111111111111111111111111111111');
const LIFETIME_BLOCKS = 150;
const REFUSED = { InstructionError: [0, { Custom: 6005 }] };
const WRONG_NUMBER = { InstructionError: [0, { Custom: 6021 }] };
const WORKS = { err: null, unitsConsumed: 20_000n };

type Landed = {
  readonly slot: number;
  readonly error: typeof REFUSED | null;
  readonly memo: string;
  /** Of a claim. */
  readonly wire?: string;
};

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
  /** What a node knows of a transaction from lists and by its signature. */
  shown(view: NodeView, signature: string): Landed | undefined;
};

/** How a node sees the chain. */
export type NodeView = {
  lagBlocks: number;
  /** Calls its old state the newest. */
  isLying: boolean;
  /** Shows lists, transactions and older statuses late, and all else in time. */
  historyLagBlocks: number;
  knowsSince: number;
  isAway: boolean;
};

export const GOOD_NODE: NodeView = {
  lagBlocks: 0,
  isLying: false,
  historyLagBlocks: 0,
  knowsSince: 0,
  isAway: false,
};
/** Statuses that nodes keep in memory. */
const RECENT_BLOCKS = 150;

type ChainOptions = {
  readonly programId: Address;
  readonly lobbyConfig: Address;
  readonly lobbyId: bigint;
  /** Undefined for a lobby without a counter. */
  readonly claimCounter: Address | undefined;
};

export function createFakeChain({ programId, lobbyConfig, lobbyId, claimCounter }: ChainOptions): FakeChain {
  const sent = new Map<string, string>();
  /** The pool after each block that changed it. */
  const pools: { slot: number; amount: bigint }[] = [{ slot: 0, amount: 0n }];
  const counters = [{ slot: 0, nextNumber: 0n, lastBatch: new Uint8Array(16) }];
  const counterAt = (slot: number) => counters.findLast((counter) => counter.slot <= slot)!;
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
      chain.landed.set(signature, { slot: chain.height, error: null, memo: '' });
    },
    pool: () => pools.at(-1)!.amount,
    land: (isFailing) => {
      for (const [signature, wire] of sent) {
        const claim = readClaim(wire, programId);
        if (chain.landed.has(signature) || claim.lastValidHeight < chain.height) continue;
        const total = claim.rewards.reduce((sum, { amount }) => sum + amount, 0n);
        const { nextNumber } = counters.at(-1)!;
        const isRepeated = claim.number !== undefined && claim.number !== nextNumber;
        const isFailed = isFailing || isRepeated || isRefused(claim) || total > chain.pool();
        change(isFailed ? 0n : -total);
        const error = isRepeated ? WRONG_NUMBER : isFailed ? REFUSED : null;
        chain.landed.set(signature, { slot: chain.height, error, memo: claim.memo, wire });
        if (isFailed) continue;
        if (claim.number !== undefined)
          counters.push({ slot: chain.height, nextNumber: nextNumber + 1n, lastBatch: claim.batch! });
        for (const { player, amount } of claim.rewards) {
          chain.received.set(player, (chain.received.get(player) ?? 0n) + amount);
        }
      }
    },
    shown: (view, signature) => {
      const landed = chain.landed.get(signature);
      const tip = chain.height - view.lagBlocks - view.historyLagBlocks;
      return landed && landed.slot <= tip && landed.slot >= view.knowsSince ? landed : undefined;
    },
    node: (view) => answerWith((method, params) => answer(view, method, params)),
  };

  // biome-ignore lint/suspicious/noExplicitAny: the answers of a node have nothing in common
  function answer(view: NodeView, method: string, params: readonly any[]): unknown {
    if (view.isAway) throw new Error('timeout');
    const tip = chain.height - view.lagBlocks;
    const slot = BigInt(view.isLying ? chain.height : tip);
    const context = { slot };
    if (BigInt(params[1]?.minContextSlot ?? 0) > slot) throw new Error('the node is behind');
    const known = (signature: string) => chain.shown(view, signature);
    const knownStatus = (signature: string) => {
      const landed = chain.landed.get(signature);
      const isRecent = landed && landed.slot <= tip && landed.slot > tip - RECENT_BLOCKS;
      return isRecent && landed.slot >= view.knowsSince ? landed : known(signature);
    };
    switch (method) {
      case 'getBlockHeight':
        return slot;
      case 'getEpochInfo':
        return { absoluteSlot: slot, blockHeight: slot };
      case 'getLatestBlockhash':
        return {
          context,
          value: {
            blockhash: blockhashAt(BigInt(tip)),
            lastValidBlockHeight: slot + BigInt(LIFETIME_BLOCKS),
          },
        };
      case 'getMinimumBalanceForRentExemption':
        return 0n;
      case 'getMultipleAccounts':
        return { context, value: params[0].map(() => null) };
      case 'getRecentPrioritizationFees':
        return [];
      case 'simulateTransaction': {
        const claim = readClaim(params[0], programId);
        const isRepeated = claim.number !== undefined && claim.number !== counterAt(tip).nextNumber;
        const err = isRepeated ? WRONG_NUMBER : isRefused(claim) ? REFUSED : undefined;
        return { context, value: err ? { err } : WORKS };
      }
      case 'sendTransaction': {
        const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(params[0]));
        sent.set(getSignatureFromTransaction(transaction), params[0]);
        return undefined;
      }
      case 'getAccountInfo': {
        const account = { owner: programId, executable: false, space: 0n };
        if (params[0] === lobbyConfig) {
          const lamports = RESERVE + poolAt(tip);
          return { context, value: { ...account, data: [lobbyData(lobbyId), 'base64'], lamports } };
        }
        if (params[0] !== claimCounter) return { context, value: null };
        const data = getClaimCounterEncoder().encode({ lobbyId, bump: 255, ...counterAt(tip) });
        return {
          context,
          value: { ...account, data: [getBase64Decoder().decode(data), 'base64'], lamports: 1n },
        };
      }
      case 'getSignatureStatuses': {
        const landed = knownStatus(params[0][0]);
        const status = landed && {
          slot: BigInt(landed.slot),
          err: landed.error,
          confirmationStatus: 'finalized',
        };
        return { context, value: [status ?? null] };
      }
      case 'getTransaction': {
        const landed = known(params[0]);
        return landed ? { slot: BigInt(landed.slot), meta: { err: landed.error } } : null;
      }
      case 'getSignaturesForAddress':
        return [...chain.landed.keys()]
          .filter((signature) => params[0] === lobbyConfig && known(signature))
          .map((signature) => ({ signature, landed: chain.landed.get(signature)! }))
          .sort((a, b) => b.landed.slot - a.landed.slot)
          .map(({ signature, landed }) => ({
            signature,
            slot: BigInt(landed.slot),
            err: landed.error,
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
  const data = claim.data!;
  const isInOrder = containsBytes(data, CLAIM_IN_ORDER_DISCRIMINATOR, 0);
  const ordered = isInOrder ? getClaimInOrderInstructionDataDecoder().decode(data) : undefined;
  const { amounts } = ordered ?? getClaimMultipleRewardsInstructionDataDecoder().decode(data);
  const players = claim.accountIndices!.slice(-amounts.length).map((index) => keys[index]!);
  const texts = instructions.map(({ data }) => Buffer.from(data ?? []).toString('latin1'));
  const hash = Buffer.from(getBase58Encoder().encode(lifetimeToken));
  return {
    number: ordered?.number,
    batch: ordered && new Uint8Array(ordered.batch),
    memo: texts.find((text) => /^[0-9a-f-]{36}$/.test(text)) ?? '',
    rewards: players.map((player, index) => ({ player, amount: amounts[index]! })),
    lastValidHeight: Number(hash.readBigUInt64BE(24)) + LIFETIME_BLOCKS,
  };
}
