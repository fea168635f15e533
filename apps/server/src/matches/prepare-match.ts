import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { DECIDING_SLOTS } from '@engulf/chain/anchors/anchor-memo';
import { type Block, findAgreedBlock, findBlock, nameSlot } from '@engulf/chain/node/public-block';
import { type LobbyId, type MatchId, matchId } from '@engulf/domain/ids/entity-ids';
import { commitmentOf, lastSecret, type PublicPart, secretOf, toHex } from '@engulf/sim/keys';
import { type Bond, rulesText } from '@engulf/sim/recording/header';
import { firstPrevious, termsHash } from '@engulf/sim/recording/terms';
import type { Rules } from '@engulf/sim/rules';
import { getAddressEncoder } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { lobbies, type MatchRow } from '../platform/database/games.ts';
import { readCommit, sendAnchor } from './anchors.ts';
import { publicPartOf, readBond } from './match-origin.ts';
import {
  bindMatch,
  commitMatch,
  nameTarget,
  noteSpill,
  type Oath,
  readSecrets,
  retireMatch,
  startMatch,
  takeSpare,
} from './match-states.ts';

/** A match that may begin. */
export type PreparedMatch = {
  readonly id: MatchId;
  readonly commitment: Uint8Array;
  readonly publicPart: PublicPart | null;
  readonly bond: Bond;
  readonly secret: Uint8Array;
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

type Preparation = {
  prepared: PreparedMatch | undefined;
  isDropped: boolean;
  /** The lobby has no match any more. */
  isAwaited: boolean;
};

/**
 * Prepares one match per lobby at a time. It waits for the chain in the background, so that callers never wait for a
 * node. Where money is at stake, the next one is begun as soon as one is given out, so that it is ready when that one ends.
 */
export function createMatchPreparer(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'processId' | 'release' | 'nowMs'>,
  timers: Timers = systemClock,
) {
  const preparing = new Map<LobbyId, Preparation>();

  const begin = (lobby: PreparedLobby, rules: Rules): void => {
    const state: Preparation = { prepared: undefined, isDropped: false, isAwaited: false };
    preparing.set(lobby.id, state);
    prepare(context, timers, { lobby, rules, isDropped: () => state.isDropped }).then(
      (prepared) => {
        state.prepared = prepared;
      },
      (error: unknown) => {
        if (preparing.get(lobby.id) === state) preparing.delete(lobby.id);
        if (state.isDropped) return;
        context.logger.error(
          { code: 'MATCH_NOT_PREPARED', err: error, lobbyId: lobby.id },
          'could not prepare a match',
        );
      },
    );
  };

  const drop = (lobbyId: LobbyId): void => {
    const state = preparing.get(lobbyId);
    if (state) state.isDropped = true;
    preparing.delete(lobbyId);
  };

  return {
    prepare: async (lobby: PreparedLobby, rules: Rules): Promise<PreparedMatch | undefined> => {
      if (!preparing.has(lobby.id)) begin(lobby, rules);
      const state = preparing.get(lobby.id)!;
      if (!state.isAwaited) await noteSpill(context.db, lobby.id);
      state.isAwaited = true;
      const { prepared } = state;
      if (!prepared || state.isDropped) return undefined;
      const isOurs = await startMatch(context, { id: prepared.id, lobbyId: lobby.id });
      drop(lobby.id);
      if (!isOurs) return undefined;
      if (!lobby.isFree) begin(lobby, rules);
      return prepared;
    },
    /** What is being prepared will not be played here. */
    forget: drop,
  };
}

type Wanted = {
  readonly lobby: PreparedLobby;
  readonly rules: Rules;
  /** Nobody waits for it any more. */
  readonly isDropped: () => boolean;
};

async function prepare(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'processId' | 'release' | 'nowMs'>,
  timers: Timers,
  wanted: Wanted,
): Promise<PreparedMatch> {
  const { lobby, rules, isDropped } = wanted;
  const patience = lobby.isFree ? timeout(timers, FREE_WAIT_MS) : undefined;
  const row = await beginMatch(context, lobby, rulesText(rules));
  const { id } = row;
  const answer = <Answer>(question: () => Promise<Answer | undefined>) =>
    ask(context, timers, { patience, isDropped }, question);
  const targetSlot = row.targetSlot ?? (await decideSlot(context, row, answer));
  const block =
    targetSlot === undefined ? undefined : await answer(() => findTarget(context.chain, targetSlot));
  if (isDropped()) throw new Error(`The match ${id} is not wanted any more`);
  if (block === 'missing') {
    await retireMatch(context, id);
    throw new Error(`No node has the block of slot ${targetSlot}`);
  }
  if (block) await bindMatch(context, id, block);
  else
    context.logger.warn(
      { code: 'MATCH_WITHOUT_BLOCK', lobbyId: lobby.id, matchId: id },
      'a free match begins without a block',
    );
  const secrets = await readSecrets(context.db, id);
  if (!secrets) throw new Error(`The match ${id} has ended`);
  const publicPart = block ? publicPartOf(block) : null;
  return {
    id,
    commitment: Buffer.from(row.commitment, 'hex'),
    publicPart,
    bond: await readBond(context, row),
    secret: Buffer.from(secrets.secret, 'hex'),
  };
}

/** The lobby's spare, or a new match. */
async function beginMatch(
  context: Pick<Context, 'db' | 'chain' | 'processId' | 'nowMs'>,
  lobby: PreparedLobby,
  rules: string,
): Promise<MatchRow> {
  const spare = lobby.isFree ? undefined : await takeSpare(context, lobby.id, rules);
  if (spare) return spare;
  const secret = randomBytes(32);
  return commitMatch(context, {
    id: matchId(randomUUID()),
    lobbyId: lobby.id,
    commitment: toHex(commitmentOf(secretOf(lastSecret(secret), 0))),
    secret: toHex(secret),
    rules,
    oath: lobby.isFree ? undefined : await swear(context, lobby.id, rules),
  });
}

/** A key for the receipts of one match, and what the chain is told of it. */
async function swear(
  { db, chain }: Pick<Context, 'db' | 'chain'>,
  lobbyId: LobbyId,
  rules: string,
): Promise<Oath> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const [x, d] = [publicKey.export({ format: 'jwk' }).x!, privateKey.export({ format: 'jwk' }).d!];
  const receiptKey = Buffer.from(x, 'base64url');
  const oath = {
    receiptKey: receiptKey.toString('hex'),
    receiptSeed: Buffer.from(d, 'base64url').toString('hex'),
  };
  const [lobby] = await db.select().from(lobbies).where(eq(lobbies.id, lobbyId));
  if (!chain.anchorKey || !lobby?.chainLobbyId) return oath;
  const address = await findLobbyConfig(chain.programId, lobby.chainLobbyId);
  const account = new Uint8Array(getAddressEncoder().encode(address));
  const terms = toHex(termsHash({ lobby: account, rulesText: rules, receiptKey }));
  return { ...oath, anchored: { terms, first: toHex(firstPrevious(account)) } };
}

type Answer = <Value>(question: () => Promise<Value | undefined>) => Promise<Value | undefined>;

/**
 * The slot whose block the match depends on. If its commitment is on the chain, that transaction's slot decides; otherwise we
 * name one, ahead of all nodes, after the commitment is public.
 */
async function decideSlot(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  { id, lobbyId }: MatchRow,
  answer: Answer,
): Promise<bigint | undefined> {
  const anchored = await answer(async () => {
    const commit = await readCommit(context, id);
    if (!commit || commit.isLost) return 'none' as const;
    if (commit.slot !== null) return commit.slot;
    await sendAnchor(context, `${id} commit`);
    return undefined;
  });
  const isAnchored = anchored !== undefined && anchored !== 'none';
  if (anchored === 'none' && (await readCommit(context, id)))
    context.logger.error(
      { code: 'MATCH_NOT_ANCHORED', lobbyId, matchId: id },
      'the commitment of a match for money could not be published on the chain',
    );
  const { nodes, mode } = context.chain;
  const targetSlot = isAnchored
    ? anchored + DECIDING_SLOTS
    : await answer(() => nameSlot(nodes, AHEAD_SLOTS[mode]));
  if (targetSlot !== undefined) await nameTarget(context, id, targetSlot);
  return targetSlot;
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
  if (absoluteSlot <= targetSlot + MISSING_AFTER_SLOTS) return findAgreedBlock(nodes, targetSlot);
  for (const node of nodes) {
    const block = await findBlock(node, targetSlot).catch(() => undefined);
    if (block) return block;
  }
  return 'missing';
}

/** Asks the node until it answers or the time is up. */
async function ask<Answer>(
  { logger }: Pick<Context, 'logger'>,
  timers: Timers,
  {
    patience,
    isDropped,
  }: { readonly patience: Promise<void> | undefined; readonly isDropped: () => boolean },
  question: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  let isOver = false;
  const over = patience?.then(() => {
    isOver = true;
    return undefined;
  });
  const answering = (async () => {
    for (let pauseMs = POLL_MS; !isOver && !isDropped(); ) {
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
