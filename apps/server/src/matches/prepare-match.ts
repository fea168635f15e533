import { randomBytes, randomUUID } from 'node:crypto';
import { type Block, findBlock, nameSlot } from '@engulf/chain/node/public-block';
import { type LobbyId, type MatchId, matchId } from '@engulf/domain/ids/entity-ids';
import { commitmentOf, matchKeyOf, type PublicPart, toHex } from '@engulf/sim/keys';
import { rulesText } from '@engulf/sim/recording/header';
import type { Rules } from '@engulf/sim/rules';
import { getBase58Encoder } from '@solana/kit';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { commitMatch, nameTarget, startMatch } from './match-states.ts';

/** A match that may begin. */
export type PreparedMatch = {
  readonly id: MatchId;
  readonly commitment: Uint8Array;
  readonly publicPart: PublicPart | null;
  readonly key: Uint8Array;
};

type PreparedLobby = { readonly id: LobbyId; readonly isFree: boolean };
type Timers = Pick<typeof systemClock, 'setTimer'>;

/** How long a free lobby waits for a node. A paid lobby stays offline instead. */
const FREE_WAIT_MS = 15_000;
/**
 * How far ahead of the nodes the slot of a match lies. A node may be behind the network, and witnesses need time to note
 * the commitment before the block exists. The embedded chain has only one node.
 */
const AHEAD_SLOTS = { embedded: 2n, external: 4n };
const POLL_MS = 200;
const MAX_POLL_MS = 5_000;

/**
 * Prepares one match per lobby at a time. It waits for the chain in the background, so that callers never wait for a
 * node.
 */
export function createMatchPreparer(context: Context, timers: Timers = systemClock) {
  const preparing = new Map<LobbyId, { prepared: PreparedMatch | undefined }>();

  const begin = (lobby: PreparedLobby, rules: Rules): void => {
    const state: { prepared: PreparedMatch | undefined } = { prepared: undefined };
    preparing.set(lobby.id, state);
    prepare(context, timers, lobby, rules).then(
      (prepared) => {
        state.prepared = prepared;
      },
      (error: unknown) => {
        if (preparing.get(lobby.id) === state) preparing.delete(lobby.id);
        context.logger.error(
          { code: 'MATCH_NOT_PREPARED', err: error, lobbyId: lobby.id },
          'could not prepare a match',
        );
      },
    );
  };

  return {
    prepare: async (lobby: PreparedLobby, rules: Rules): Promise<PreparedMatch | undefined> => {
      if (!preparing.has(lobby.id)) begin(lobby, rules);
      const prepared = preparing.get(lobby.id)?.prepared;
      if (prepared) preparing.delete(lobby.id);
      return prepared;
    },
    /** The match that is being prepared will not be played: others end it and publish its secret. */
    forget: (lobbyId: LobbyId): void => {
      preparing.delete(lobbyId);
    },
  };
}

async function prepare(
  context: Context,
  timers: Timers,
  lobby: PreparedLobby,
  rules: Rules,
): Promise<PreparedMatch> {
  const { nodes, mode } = context.chain;
  const secret = randomBytes(32);
  const commitment = commitmentOf(secret);
  const id = matchId(randomUUID());
  const patience = lobby.isFree ? timeout(timers, FREE_WAIT_MS) : undefined;
  await commitMatch(context, {
    id,
    lobbyId: lobby.id,
    commitment: toHex(commitment),
    secret: toHex(secret),
    rules: rulesText(rules),
  });
  // Asked only now: the commitment is public before the block can exist, however slow the database is.
  const targetSlot = await ask(context, timers, patience, () => nameSlot(nodes, AHEAD_SLOTS[mode]));
  if (targetSlot !== undefined) await nameTarget(context, id, targetSlot);
  const block =
    targetSlot === undefined
      ? undefined
      : await ask(context, timers, patience, () => findTarget(context.chain, targetSlot));
  if (block === 'missing') throw new Error(`No node has the block of slot ${targetSlot}`);
  if (!block)
    context.logger.warn(
      { code: 'MATCH_WITHOUT_BLOCK', lobbyId: lobby.id, matchId: id },
      'a free match begins without a block',
    );
  await startMatch(context, id, block ?? null);
  const publicPart = block ? publicPartOf(block) : null;
  return { id, commitment, publicPart, key: matchKeyOf(secret, publicPart) };
}

/** About two minutes: the block of a slot has long been final by then. */
const MISSING_AFTER_SLOTS = 300n;

/**
 * The block of a match, once it is final. Missing if no node has it, although the chain is far past it: they were restarted
 * at that moment, and never will.
 */
async function findTarget(
  { rpc, nodes }: Context['chain'],
  targetSlot: bigint,
): Promise<Block | 'missing' | undefined> {
  const { absoluteSlot } = await rpc.getEpochInfo({ commitment: 'finalized' }).send();
  if (absoluteSlot <= targetSlot + MISSING_AFTER_SLOTS) return findBlock(rpc, targetSlot);
  for (const node of nodes) {
    const block = await findBlock(node, targetSlot).catch(() => undefined);
    if (block) return block;
  }
  return 'missing';
}

export function publicPartOf({ slot, blockhash }: Pick<Block, 'slot' | 'blockhash'>): PublicPart {
  return { slot, blockhash: new Uint8Array(getBase58Encoder().encode(blockhash)) };
}

/** Asks the node until it answers or the time is up. */
async function ask<Answer>(
  { logger }: Context,
  timers: Timers,
  patience: Promise<void> | undefined,
  question: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  let isOver = false;
  const over = patience?.then(() => {
    isOver = true;
    return undefined;
  });
  const answering = (async () => {
    for (let pauseMs = POLL_MS; !isOver; ) {
      try {
        const answer = await question();
        if (answer !== undefined) return answer;
        pauseMs = POLL_MS;
      } catch (error) {
        logger.warn({ code: 'NODE_UNAVAILABLE', err: error }, 'a match waits for the Solana node');
        pauseMs = Math.min(2 * pauseMs, MAX_POLL_MS);
      }
      await timeout(timers, pauseMs);
    }
    return undefined;
  })();
  return over ? Promise.race([answering, over]) : answering;
}

function timeout(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => timers.setTimer(ms, resolve));
}
