import { getClaimCounterEncoder } from '@engulf/chain/generated/accounts/claimCounter';
import { getGlobalConfigEncoder } from '@engulf/chain/generated/accounts/globalConfig';
import { getLobbyConfigEncoder } from '@engulf/chain/generated/accounts/lobbyConfig';
import { getPayoutKeyEncoder } from '@engulf/chain/generated/accounts/payoutKey';
import {
  CLAIM_BY_PAYOUT_KEY_DISCRIMINATOR,
  getClaimByPayoutKeyInstructionDataDecoder,
} from '@engulf/chain/generated/instructions/claimByPayoutKey';
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
const NOT_PAYOUT_KEY = { InstructionError: [0, { Custom: 6022 }] };
const ABOVE_LIMIT = { InstructionError: [0, { Custom: 6023 }] };
const WINDOW_EXHAUSTED = { InstructionError: [0, { Custom: 6024 }] };
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
  /** What the super admin has set. Undefined: it was revoked, or nobody has one. */
  grant: Grant | undefined;
  pay(amount: bigint, signature: string): void;
  pool(): bigint;
  /** Puts every claim that still can into a block. */
  land(isFailing: boolean): void;
  /** What was sent and is in no block never comes into one. Whoever foretells remembers it. */
  lose(): void;
  node(view: NodeView): Rpc<SolanaRpcApi>;
  /** What a node knows of a transaction from lists and by its signature. */
  shown(view: NodeView, signature: string): Landed | undefined;
};

type Grant = {
  readonly key: Address;
  readonly setBy: Address;
  readonly maxClaim: bigint;
  readonly maxWindow: bigint;
  readonly windowSlots: bigint;
};

/** How a node sees the chain. */
export type NodeView = {
  lagBlocks: number;
  /** Calls its old state the newest. */
  isLying: boolean;
  /** Shows lists, transactions and older statuses late, and all else in time. */
  historyLagBlocks: number;
  knowsSince: number;
  /** Shows a claim as final as soon as it was sent, with all that would follow from it. */
  isForetelling: boolean;
  /** Shows no payout key, and another super admin. */
  isDenyingKey: boolean;
  isAway: boolean;
};

export const GOOD_NODE: NodeView = {
  lagBlocks: 0,
  isLying: false,
  historyLagBlocks: 0,
  knowsSince: 0,
  isForetelling: false,
  isDenyingKey: false,
  isAway: false,
};
/** Statuses that nodes keep in memory. */
const RECENT_BLOCKS = 150;

type ChainOptions = {
  readonly programId: Address;
  readonly superAdmin: Address;
  readonly globalConfig: Address;
  readonly lobbyConfig: Address;
  readonly lobbyId: bigint;
  /** Undefined for a lobby without a counter. */
  readonly claimCounter: Address | undefined;
  readonly payoutKey: Address;
};

export function createFakeChain(options: ChainOptions): FakeChain {
  const { programId, superAdmin, globalConfig, lobbyConfig, lobbyId, claimCounter, payoutKey } = options;
  const sent = new Map<string, string>();
  const everSent = new Map<string, string>();
  /** The pool after each block that changed it. */
  const pools: { slot: number; amount: bigint }[] = [{ slot: 0, amount: 0n }];
  const counters = [{ slot: 0, nextNumber: 0n, lastBatch: new Uint8Array(16) }];
  /** The claim that the chain would pay next. */
  const findNextClaim = () => {
    const { nextNumber } = counters.at(-1)!;
    const claims = [...everSent].map(([signature, wire]) => ({
      signature,
      wire,
      ...readClaim(wire, programId),
    }));
    return claims.find(({ number, signature }) => number === nextNumber && !chain.landed.has(signature));
  };
  const counterAt = (view: NodeView) => {
    const shown = counters.findLast(({ slot }) => slot <= chain.height - view.lagBlocks)!;
    const claim = view.isForetelling ? findNextClaim() : undefined;
    return claim ? { ...shown, nextNumber: shown.nextNumber + 1n, lastBatch: claim.batch! } : shown;
  };
  const poolAt = (view: NodeView) => {
    const { amount } = pools.findLast(({ slot }) => slot <= chain.height - view.lagBlocks)!;
    const claim = view.isForetelling ? findNextClaim() : undefined;
    return amount - (claim?.rewards.reduce((sum, reward) => sum + reward.amount, 0n) ?? 0n);
  };
  const change = (amount: bigint) => {
    chain.height++;
    pools.push({ slot: chain.height, amount: chain.pool() + amount });
  };
  const isRefused = ({ rewards }: ReturnType<typeof readClaim>) =>
    rewards.some(({ player }) => chain.unpayable.has(player));
  let window = { start: 0, spent: 0n };
  /** As the program counts. Undefined: the claim is not by a payout key, or within its limits. */
  const keyRefusal = ({ rewards, by }: ReturnType<typeof readClaim>) => {
    if (!by) return undefined;
    const { grant } = chain;
    if (grant?.key !== by) return NOT_PAYOUT_KEY;
    const total = rewards.reduce((sum, { amount }) => sum + amount, 0n);
    if (total > grant.maxClaim) return ABOVE_LIMIT;
    const isOver = chain.height - window.start >= Number(grant.windowSlots);
    return (isOver ? 0n : window.spent) + total > grant.maxWindow ? WINDOW_EXHAUSTED : undefined;
  };
  const spend = (by: Address | undefined, total: bigint) => {
    if (!by || !chain.grant) return;
    const isOver = chain.height - window.start >= Number(chain.grant.windowSlots);
    window = isOver ? { start: chain.height, spent: total } : { ...window, spent: window.spent + total };
  };
  const chain: FakeChain = {
    height: 1_000,
    landed: new Map(),
    received: new Map(),
    unpayable: new Set(),
    grant: undefined,
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
        const refusal = keyRefusal(claim);
        const isFailed =
          isFailing || isRepeated || isRefused(claim) || refusal !== undefined || total > chain.pool();
        if (!isFailed) spend(claim.by, total);
        change(isFailed ? 0n : -total);
        const error = refusal ?? (isRepeated ? WRONG_NUMBER : isFailed ? REFUSED : null);
        chain.landed.set(signature, { slot: chain.height, error, memo: claim.memo, wire });
        if (isFailed) continue;
        if (claim.number !== undefined)
          counters.push({ slot: chain.height, nextNumber: nextNumber + 1n, lastBatch: claim.batch! });
        for (const { player, amount } of claim.rewards) {
          chain.received.set(player, (chain.received.get(player) ?? 0n) + amount);
        }
      }
    },
    lose: () => sent.clear(),
    shown: (view, signature) => {
      const landed = chain.landed.get(signature);
      const claim = view.isForetelling ? findNextClaim() : undefined;
      if (claim && claim.signature === signature) return { ...claim, slot: chain.height, error: null };
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
        const isRepeated = claim.number !== undefined && claim.number !== counterAt(view).nextNumber;
        const err = keyRefusal(claim) ?? (isRepeated ? WRONG_NUMBER : isRefused(claim) ? REFUSED : undefined);
        return { context, value: err ? { err } : WORKS };
      }
      case 'sendTransaction': {
        const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(params[0]));
        const signature = getSignatureFromTransaction(transaction);
        sent.set(signature, params[0]);
        everSent.set(signature, params[0]);
        return undefined;
      }
      case 'getAccountInfo': {
        const account = { owner: programId, executable: false, space: 0n };
        if (params[0] === lobbyConfig) {
          const lamports = RESERVE + poolAt(view);
          return { context, value: { ...account, data: [lobbyData(lobbyId), 'base64'], lamports } };
        }
        if (params[0] === globalConfig) {
          const other = view.isDenyingKey ? NOBODY : superAdmin;
          const state = {
            superAdmin: other,
            platformTreasury: NOBODY,
            platformFeeBasisPoints: 500,
            bump: 255,
          };
          const data = getBase64Decoder().decode(getGlobalConfigEncoder().encode(state));
          return { context, value: { ...account, data: [data, 'base64'], lamports: 1n } };
        }
        if (params[0] === payoutKey && chain.grant && !view.isDenyingKey) {
          const { start, spent } = window;
          const state = { lobbyId, ...chain.grant, windowStartSlot: BigInt(start), spent, bump: 255 };
          const data = getBase64Decoder().decode(getPayoutKeyEncoder().encode(state));
          return { context, value: { ...account, data: [data, 'base64'], lamports: 1n } };
        }
        if (params[0] !== claimCounter) return { context, value: null };
        const data = getClaimCounterEncoder().encode({ lobbyId, bump: 255, ...counterAt(view) });
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
  const isByKey = containsBytes(data, CLAIM_BY_PAYOUT_KEY_DISCRIMINATOR, 0);
  const isInOrder = containsBytes(data, CLAIM_IN_ORDER_DISCRIMINATOR, 0);
  const ordered = isByKey
    ? getClaimByPayoutKeyInstructionDataDecoder().decode(data)
    : isInOrder
      ? getClaimInOrderInstructionDataDecoder().decode(data)
      : undefined;
  const { amounts } = ordered ?? getClaimMultipleRewardsInstructionDataDecoder().decode(data);
  const players = claim.accountIndices!.slice(-amounts.length).map((index) => keys[index]!);
  const texts = instructions.map(({ data }) => Buffer.from(data ?? []).toString('latin1'));
  const hash = Buffer.from(getBase58Encoder().encode(lifetimeToken));
  return {
    by: isByKey ? keys[claim.accountIndices![2]!] : undefined,
    number: ordered?.number,
    batch: ordered && new Uint8Array(ordered.batch),
    memo: texts.find((text) => /^[0-9a-f-]{36}$/.test(text)) ?? '',
    rewards: players.map((player, index) => ({ player, amount: amounts[index]! })),
    lastValidHeight: Number(hash.readBigUInt64BE(24)) + LIFETIME_BLOCKS,
  };
}
