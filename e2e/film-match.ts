import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { commitmentOf, matchKeyOf, numberedKey, toHex } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { portalPhase } from '@engulf/sim/portals';
import { writeEnd } from '@engulf/sim/recording/frames';
import { NO_BOND, rulesText, writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  pointAt,
  type RecordedMatch,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { MILLI, type Rules, standardRules } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import { type Part, seal } from '@engulf/verify/testing/played-match';

/** A recorded match with a life that is worth a film: it eats somebody, splits, ejects and leaves through a portal. */
export type FilmMatch = {
  readonly match: PublicMatch;
  readonly recording: Uint8Array;
  readonly exitTick: number;
};

const MATCH_ID = '00000000-0000-4000-8000-00000000f11f';
const ENTRY_ID = '00000000-0000-4000-8000-00000000e11e';
const MAX_TICKS = 2_400;
const MAX_SEEDS = 400;

const RULES: Rules = {
  ...standardRules,
  worldSize: 2_800,
  tide: { ...standardRules.tide, leastSize: 0 },
  spawn: { ...standardRules.spawn, invulnerableSeconds: 1 },
  food: { ...standardRules.food, count: 800 },
  viruses: { ...standardRules.viruses, count: 5 },
  portals: { ...standardRules.portals, idleSeconds: 32, warningSeconds: 4, minCount: 1, maxCount: 2 },
};

/**
 * Tries one world after the other; the first whose last `seconds` before the exit show everything is taken. Bots join
 * one by one, every `joinEverySeconds`.
 */
export function playFilmMatch(
  seconds: number,
  bots: number,
  joinEverySeconds: number = standardRules.bots.joinEverySeconds,
): FilmMatch {
  const rules: Rules = { ...RULES, bots: { ...RULES.bots, joinEverySeconds } };
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const played = play(seed, seconds * rules.stepsPerSecond, bots, rules);
    if (played) return played;
  }
  throw new Error(`None of ${MAX_SEEDS} matches shows everything`);
}

function play(seed: number, filmTicks: number, bots: number, rules: Rules): FilmMatch | undefined {
  const secret = numberedKey(seed);
  const commitment = commitmentOf(secret);
  const parts: Part[] = [
    {
      kind: 'header',
      body: writeHeader({ matchId: MATCH_ID, commitment, publicPart: null, spill: 0n, rules, bond: NO_BOND }),
    },
  ];
  const recorded = startRecordedMatch({ key: matchKeyOf(secret, null), rules, spill: 0n }, (body) =>
    parts.push({ kind: 'segment', body }),
  );
  const { world } = recorded;
  applyRecorded(recorded, { type: 'setPopulation', count: bots });
  for (let tick = 0; tick < 250; tick++) stepRecorded(recorded);
  const joined = applyRecorded(recorded, { type: 'join', stake: 1_000_000n, entry: ENTRY_ID as EntryId });
  if (!joined.ok || joined.player === undefined) return undefined;
  const hero = joined.player;
  const pilot = createPilot(recorded, hero);
  const kills: number[] = [];
  let exitTick: number | undefined;
  while (exitTick === undefined && world.clock.tick < MAX_TICKS) {
    if (findPlayer(world.players, hero) < 0) return undefined;
    pilot.fly();
    for (const event of stepRecorded(recorded)) {
      if (event.type === 'killed' && event.killer === hero) kills.push(world.clock.tick);
      if (event.type === 'exited' && event.player === hero) exitTick = world.clock.tick;
    }
  }
  if (exitTick === undefined) return undefined;
  const from = exitTick - filmTicks;
  const isShown = (ticks: readonly number[]) =>
    ticks.some((tick) => tick > from + 25 && tick < exitTick - 25);
  if (!isShown(kills) || !isShown(pilot.splits) || !isShown(pilot.ejects)) return undefined;
  for (let tick = 0; tick < 125; tick++) stepRecorded(recorded);
  applyRecorded(recorded, { type: 'end', reason: 'closed' });
  finishRecording(recorded);
  const finalTick = world.clock.tick;
  parts.push({ kind: 'end', body: writeEnd({ finalTick, isCut: false }) });
  const { recording, finalHash } = seal(parts);
  const now = new Date(0).toISOString();
  return {
    exitTick,
    recording,
    match: {
      id: MATCH_ID,
      lobbyId: MATCH_ID,
      state: 'ended',
      committedAt: now,
      startedAt: now,
      endedAt: now,
      commitment: toHex(commitment),
      anchor: null,
      targetSlot: null,
      block: null,
      secret: toHex(secret),
      finalTick,
      finalHash,
      isCut: false,
      recordingBytes: recording.length,
      isFree: true,
      lobbyName: 'Petri Dish',
      chainLobbyId: null,
      tokenSymbol: 'USD',
      tokenDecimals: 6,
      tokenMint: null,
      rules: rulesText(rules),
      spillAfter: '0',
      published: null,
      entryCount: 1,
      entries: [
        {
          id: ENTRY_ID,
          player: { id: ENTRY_ID, name: 'MoonYolk' },
          stake: '1000000',
          payment: null,
          outcome: 'cashout',
          amount: '1000000',
          payout: null,
        },
      ],
    },
  };
}

/** Sees the whole arena: chases the small, flees from the large, and goes for the portal once one is open. */
function createPilot(recorded: RecordedMatch, hero: PlayerId) {
  const { world } = recorded;
  const splits: number[] = [];
  const ejects: number[] = [];
  return {
    splits,
    ejects,
    fly(): void {
      const { players, portals, clock } = world;
      const slot = findPlayer(players, hero);
      const [x, y] = [players.centreX[slot]!, players.centreY[slot]!];
      const mass = players.massMilli[slot]! / MILLI;
      const others = othersOf(world, slot, x, y);
      const threat = others.find((other) => other.mass > mass * 1.2 && other.gap < 260);
      const prey = others.find((other) => other.mass * 1.4 < mass && other.gap < 900);
      const phase = portalPhase(portals);
      const isLeaving = phase === 'active';
      let [dx, dy] = [world.rules.worldSize / 2 - x, world.rules.worldSize / 2 - y];
      if (isLeaving) [dx, dy] = nearestPortal(world, x, y);
      else if (threat) [dx, dy] = [-threat.dx, -threat.dy];
      else if (prey) [dx, dy] = [prey.dx, prey.dy];
      else {
        const angle = Math.atan2(-dy, -dx) + 0.7;
        const ring = world.rules.worldSize * 0.3;
        [dx, dy] = [dx + ring * Math.cos(angle), dy + ring * Math.sin(angle)];
      }
      pointAt(recorded, hero, dx, dy);
      if (phase === 'warning' && ejects.length < 3 && clock.tick % 9 === 0) {
        applyRecorded(recorded, { type: 'eject', player: hero });
        ejects.push(clock.tick);
      }
      const isWithinReach = prey !== undefined && prey.gap < 170 && prey.mass * 2.9 < mass;
      if (isWithinReach && !threat && !isLeaving && clock.tick - (splits.at(-1) ?? 0) > 150) {
        applyRecorded(recorded, { type: 'split', player: hero });
        splits.push(clock.tick);
      }
    },
  };
}

/** Everybody else, the nearest first. */
function othersOf({ players }: World, own: number, x: number, y: number) {
  const others = [];
  for (let slot = 0; slot < players.top; slot++) {
    if (slot === own || players.isAlive[slot] !== 1) continue;
    const [dx, dy] = [players.centreX[slot]! - x, players.centreY[slot]! - y];
    const mass = players.massMilli[slot]! / MILLI;
    const radii = 10 * (Math.sqrt(mass) + Math.sqrt(players.massMilli[own]! / MILLI));
    others.push({ dx, dy, mass, gap: Math.hypot(dx, dy) - radii });
  }
  return others.sort((a, b) => a.gap - b.gap);
}

function nearestPortal({ portals }: World, x: number, y: number): [number, number] {
  let nearest: [number, number] = [0, 0];
  for (let index = 0; index < portals.count; index++) {
    const offset: [number, number] = [portals.x[index]! - x, portals.y[index]! - y];
    if (index === 0 || Math.hypot(...offset) < Math.hypot(...nearest)) nearest = offset;
  }
  return nearest;
}
