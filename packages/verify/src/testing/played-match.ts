import { deflateRawSync } from 'node:zlib';
import { RELEASED_CODE } from '@engulf/chain/accounts/program-code';
import type { JoinPayment } from '@engulf/chain/payments/join-payments';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { epochAt } from '@engulf/sim/epochs';
import type { ArenaEvent } from '@engulf/sim/events';
import { commitmentOf, keysUpTo, lastSecret, numberedKey, secretOf, toHex } from '@engulf/sim/keys';
import { awaitsBeacon, canPledge, decidingSlot } from '@engulf/sim/mechanics/beacons';
import type { PlayerId } from '@engulf/sim/players';
import { FIRST_LINK, type FrameKind, writeEnd, writeFrame } from '@engulf/sim/recording/frames';
import { rulesText, writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  pointAt,
  type RecordedMatch,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import type { Rules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import { commandOf, type Move } from '@engulf/sim/testing/random-play';
import { type Address, getBase58Decoder } from '@solana/kit';
import type { BeaconBlock, ChainFacts, SeenClaim, SeenJoins } from '../chain-facts.ts';
import { ANCHOR, anchorFacts, BOND, LOBBY_CONFIG } from './anchored.ts';
import type { signingPlayers } from './signing-players.ts';

const SPILL = 5n;
const MATCH_ID = '00000000-0000-4000-8000-000000000001';

/** Everything that a check needs. */
export type Evidence = {
  readonly match: PublicMatch;
  readonly recording: Uint8Array;
  readonly chain: ChainFacts;
};

/** What an honest chain shows. */
type PlayedChain = Omit<ChainFacts, 'joins' | 'claims'> & {
  readonly joins: ReadonlyMap<string, SeenJoins>;
  readonly claims: ReadonlyMap<string, SeenClaim>;
};

export type Part = { readonly kind: FrameKind; readonly body: Uint8Array };

/** A recording with hashes that fit, from parts that may be forged. */
export function seal(parts: readonly Part[]): { recording: Uint8Array; finalHash: string } {
  let link = FIRST_LINK;
  const frames = parts.map(({ kind, body }) => {
    const packed = new Uint8Array(deflateRawSync(body));
    const frame = writeFrame({ kind, packing: 'deflate', bodyLength: body.length, packed }, link);
    link = frame.link;
    return frame.bytes;
  });
  return { recording: new Uint8Array(Buffer.concat(frames)), finalHash: toHex(link.chain) };
}

type PlayOptions = {
  readonly isCut?: boolean;
  readonly bots?: number;
  readonly rules?: Rules;
  /** No block places portals. */
  readonly isBlind?: boolean;
  /** Players who sign their inputs. */
  readonly pages?: Pages;
};

type Pages = ReturnType<typeof signingPlayers>;

/**
 * Plays random moves as a server would, and tells what its public answers and the chain would say afterwards. A cut
 * match loses what was not recorded when its process died; everybody alive then gets the bounty back.
 */
export function playMatch(
  { seed, moves }: { readonly seed: number; readonly moves: Iterable<readonly Move[]> },
  { isCut = false, bots = 0, rules = crowdedRules, isBlind = false, pages }: PlayOptions = {},
): Omit<Evidence, 'chain'> & { readonly chain: PlayedChain; readonly parts: readonly Part[] } {
  const known = lastSecret(numberedKey(seed));
  const publicPart = { slot: BigInt(seed) + 100n, blockhash: numberedKey(seed + 1) };
  const commitment = commitmentOf(secretOf(known, 0));
  const bond = BOND;
  const parts: Part[] = [
    {
      kind: 'header',
      body: writeHeader({ matchId: MATCH_ID, commitment, publicPart, spill: SPILL, rules, bond }),
    },
  ];
  const options = { key: keysUpTo(known, publicPart), rules, spill: SPILL };
  const recorded = startRecordedMatch(options, (body) => parts.push({ kind: 'segment', body }));
  const beacons = new Map<bigint, BeaconBlock>();
  const books: Books = { players: new Map(), entries: new Map() };
  if (bots > 0) applyRecorded(recorded, { type: 'setPopulation', count: bots });
  for (const stepMoves of moves) {
    if (!isBlind) keyPortals(recorded, beacons);
    for (const move of stepMoves) act(recorded, move, books, pages);
    note(books, stepRecorded(recorded));
    pages?.noteStep(recorded, books.players, commitment);
  }
  if (isCut) {
    const { bounty } = recorded.world.players;
    for (const player of books.players.keys()) settle(books, player, 'fault', bounty[player % 65_536]!);
  } else {
    applyRecorded(recorded, { type: 'end', reason: 'closed' });
    note(books, step(recorded.world));
    finishRecording(recorded);
  }
  const finalTick = isCut ? recorded.open.startTick : recorded.world.clock.tick;
  parts.push({ kind: 'end', body: writeEnd({ finalTick, isCut }) });
  const { recording, finalHash } = seal(parts);
  const block = { slot: publicPart.slot, blockhash: getBase58Decoder().decode(publicPart.blockhash) };
  const match: PublicMatch = {
    id: MATCH_ID,
    lobbyId: MATCH_ID,
    state: 'ended',
    committedAt: new Date(0).toISOString(),
    startedAt: new Date(0).toISOString(),
    endedAt: new Date(0).toISOString(),
    commitment: toHex(commitment),
    anchor: ANCHOR,
    targetSlot: (publicPart.slot - 2n).toString(),
    block: { slot: block.slot.toString(), blockhash: block.blockhash },
    secret: toHex(secretOf(known, epochAt(rules, finalTick))),
    finalTick,
    finalHash,
    isCut,
    recordingBytes: recording.length,
    isFree: false,
    lobbyName: 'Shallows',
    chainLobbyId: '1',
    tokenSymbol: 'SOL',
    tokenDecimals: 9,
    tokenMint: null,
    rules: rulesText(rules),
    spillAfter: recorded.world.money.spill.toString(),
    published: null,
    entryCount: books.entries.size,
    entries: [...books.entries.values()],
  };
  const chain = {
    block: { ...block, timeMs: 1_000 },
    lobbyConfig: LOBBY_CONFIG,
    joins: joinsOf(match, pages),
    claims: claimsOf(match),
    anchors: anchorFacts(match, SPILL),
    beacons,
    program: { sha256: RELEASED_CODE.sha256, upgradeAuthority: null, deployedSlot: 1n },
  };
  return { match, recording, parts, chain };
}

/** As a server does it, with a chain that makes a block every few ticks. Some slots are empty. */
function keyPortals(recorded: RecordedMatch, blocks: Map<bigint, BeaconBlock>): void {
  const { world } = recorded;
  const wave = world.portals.wave + 1;
  const newest = PLAY_SLOT + BigInt(world.clock.tick);
  if (canPledge(world)) {
    applyRecorded(recorded, { type: 'pledge', wave, newest, decides: decidingSlot(world, newest) });
  } else if (awaitsBeacon(world) && newest > world.beacons.decides) {
    const slot = BigInt(world.beacons.decides + (wave % 3));
    const blockhash = numberedKey(9_000 + wave);
    applyRecorded(recorded, { type: 'beacon', wave, slot, blockhash });
    blocks.set(slot, {
      blockhash: getBase58Decoder().decode(blockhash),
      parentSlot: BigInt(world.beacons.decides - 1),
      timeMs: 40 * world.clock.tick,
    });
  }
}

type Entry = PublicMatch['entries'][number];
/** Those who play, and what becomes of everybody. */
type Books = { readonly players: Map<PlayerId, string>; readonly entries: Map<string, Entry> };

function act(recorded: RecordedMatch, move: Move, { players, entries }: Books, pages?: Pages): void {
  const sent = commandOf(recorded.world, move);
  const command = pages ? pages.send(sent, recorded.world.clock.tick) : sent;
  if (!command) return;
  if (command.type === 'steer') {
    pointAt(recorded, command.player, command.x, command.y);
  } else if (command.type === 'join') {
    const id = `entry-${entries.size + 1}`;
    const applied = applyRecorded(recorded, { ...command, entry: id as EntryId });
    if (!applied.ok || applied.player === undefined) return;
    players.set(applied.player, id);
    const number = entries.size + 1;
    entries.set(id, {
      id,
      player: { id: `user-${number}`, name: `Player ${number}` },
      stake: command.stake.toString(),
      payment: { wallet: walletOf(number), signature: `join-${number}` } as Entry['payment'],
      outcome: null,
      amount: null,
      payout: null,
    });
  } else if (command.type !== 'setPopulation') {
    applyRecorded(recorded, command);
  }
}

function note(books: Books, events: readonly ArenaEvent[]): void {
  for (const event of events) {
    if (event.type === 'exited') settle(books, event.player, 'cashout', event.bounty);
    else if (event.type === 'killed') settle(books, event.victim, 'killed', 0n);
    else if (event.type === 'departed') settle(books, event.player, 'forfeit', event.refund);
    else if (event.type === 'bountyReturned') settle(books, event.player, event.reason, event.bounty);
  }
}

function settle(
  { players, entries }: Books,
  player: PlayerId,
  outcome: Entry['outcome'],
  amount: bigint,
): void {
  const id = players.get(player);
  // A bot.
  if (id === undefined) return;
  const number = Number(id.slice('entry-'.length));
  const payout = {
    wallet: walletOf(number),
    amount: amount.toString(),
    status: 'completed',
    signature: `signature-${number}`,
  } as unknown as NonNullable<Entry['payout']>;
  entries.set(id, {
    ...entries.get(id)!,
    outcome,
    amount: amount.toString(),
    payout: amount > 0n ? payout : null,
  });
  players.delete(player);
}

function walletOf(number: number): string {
  return getBase58Decoder().decode(numberedKey(1_000 + number));
}

/** Long after the block, long before the payouts. */
const JOIN_SLOT = 10_000_000_000n;
const PLAY_SLOT = 11_000_000_000n;
const CLAIM_SLOT = 20_000_000_000n;

function joinsOf({ entries }: PublicMatch, pages?: Pages): Map<string, SeenJoins> {
  return new Map(
    entries.map(({ stake, payment }, index) => {
      const { wallet, signature } = payment!;
      const inputsKey = pages?.keyOf(index + 1);
      const about = { lobbyConfig: LOBBY_CONFIG, tokenMint: undefined, player: wallet };
      const join = { ...about, stake: BigInt(stake), inputsKey };
      return [signature, { slot: JOIN_SLOT, timeMs: 0, payments: [join as unknown as JoinPayment] }];
    }),
  );
}

function claimsOf({ entries, commitment, finalHash }: PublicMatch): Map<string, SeenClaim> {
  const compact = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
  const memo = `batch ${compact(commitment)}:${compact(finalHash!)}`;
  const claims = new Map<string, SeenClaim>();
  for (const { payout } of entries) {
    if (!payout?.signature) continue;
    const lobbyConfig = LOBBY_CONFIG as Address;
    const player = payout.wallet as string as Address;
    const payments = [{ lobbyConfig, tokenMint: undefined, player, amount: BigInt(payout.amount) }];
    claims.set(payout.signature, { slot: CLAIM_SLOT, memo, batchId: undefined, number: undefined, payments });
  }
  return claims;
}
