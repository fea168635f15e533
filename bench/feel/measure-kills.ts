import { applyCommand } from '@engulf/sim/commands';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { type Rules, standardRules } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import type { Frame } from '@engulf/web/arena/model/frame/frame';
import { createChance, type Line } from './line.ts';
import { percentile } from './percentile.ts';
import { place } from './placing.ts';
import { join, playSession } from './session.ts';

/** The player hunts and splits onto its prey, which flees in curves and now and then turns. */
const RULES: Rules = {
  ...standardRules,
  viruses: { ...standardRules.viruses, count: 0 },
  food: { ...standardRules.food, count: 200 },
  spawn: { ...standardRules.spawn, invulnerableSeconds: 0.04 },
};
const HUNTER_MASS = 320;
const PREY_MASS = 40;
const HUNTS_FROM_WORLD = 420;
const SPLITS_WITHIN_WORLD = 380;
const AMBUSH_TICK = 28;
const MAX_SECONDS = 7;
const TURNS_PER_TICK = 0.03;

/** For how long prey lies inside its eater before it is shown as eaten, and how often that had to be taken back. */
export function measureKills(line: Line, seed: number, kills: number) {
  const waits: number[] = [];
  let begun = 0;
  let takenBack = 0;
  for (let hunt = 0; waits.length < kills && hunt < 3 * kills; hunt++) {
    const played = playHunt(line, seed + hunt * 23);
    begun += played.begun;
    takenBack += played.takenBack;
    if (played.waitMs !== undefined) waits.push(played.waitMs);
  }
  return {
    engulfP50Ms: percentile(waits, 0.5),
    engulfP90Ms: percentile(waits, 0.9),
    wronglyEngulfedPct: (100 * takenBack) / Math.max(1, begun),
  };
}

function playHunt(line: Line, seed: number) {
  const chance = createChance(seed + 5);
  const played = { begun: 0, takenBack: 0, waitMs: undefined as number | undefined };
  let prey: PlayerId | undefined;
  let flight = chance() * 2 * Math.PI;
  let insideSinceMs = Number.NaN;
  let isHidden = false;
  let isOver = false;
  playSession(
    { line, rules: RULES, seed, seconds: MAX_SECONDS },
    (world, player) => {
      const middle = RULES.worldSize / 2;
      place(world, player, middle, middle, HUNTER_MASS);
      prey = join(world);
      place(world, prey, 0, 0, PREY_MASS);
    },
    {
      pointer: (_, { model }) => towardsPrey(model.frame) ?? { x: 200, y: 0 },
      key(_, { model }) {
        const way = towardsPrey(model.frame);
        const isNear = way && Math.hypot(way.x, way.y) < SPLITS_WITHIN_WORLD;
        return isNear && model.frame.own!.cellCount < 2 && chance() < 0.02 ? 'split' : undefined;
      },
      onTick({ world, slot }) {
        const { players } = world;
        if (world.clock.tick === AMBUSH_TICK) {
          const x = players.centreX[slot]! + Math.cos(flight) * HUNTS_FROM_WORLD;
          place(world, prey!, x, players.centreY[slot]! + Math.sin(flight) * HUNTS_FROM_WORLD, PREY_MASS);
        }
        if (chance() < TURNS_PER_TICK) flight += (chance() - 0.5) * Math.PI;
        flee(world, prey!, flight + Math.sin(world.clock.tick / 8) * 0.6);
      },
      onFrame(frame, nowMs, { world }) {
        if (world.clock.tick < AMBUSH_TICK + 2) return;
        const shown = frame.cells.find(({ isOwn }) => !isOwn);
        if (shown && isHidden) {
          played.takenBack++;
          isHidden = false;
        }
        const isAlive = findPlayer(world.players, prey!) >= 0;
        if (shown) {
          if (!isInside(frame, shown)) insideSinceMs = Number.NaN;
          else if (Number.isNaN(insideSinceMs)) insideSinceMs = nowMs;
        } else if (!isHidden && frame.gulps.some(({ kind }) => kind === 'cell')) {
          played.begun++;
          isHidden = true;
          played.waitMs = Number.isNaN(insideSinceMs) ? 0 : nowMs - insideSinceMs;
        }
        isOver = isHidden && !isAlive;
      },
      isOver: () => isOver,
    },
  );
  return isOver ? played : { ...played, waitMs: undefined };
}

function towardsPrey({ own, cells }: Frame): { x: number; y: number } | undefined {
  const prey = cells.find(({ isOwn }) => !isOwn);
  return own && prey && { x: prey.x - own.x, y: prey.y - own.y };
}

function isInside({ cells }: Frame, prey: Frame['cells'][number]): boolean {
  return cells.some(
    ({ isOwn, x, y, radius }) =>
      isOwn && Math.hypot(x - prey.x, y - prey.y) < radius - prey.radius * RULES.eating.preyDepth,
  );
}

function flee(world: World, prey: PlayerId, direction: number): void {
  if (findPlayer(world.players, prey) < 0) return;
  const [x, y] = [Math.round(Math.cos(direction) * 400), Math.round(Math.sin(direction) * 400)];
  applyCommand(world, { type: 'steer', player: prey, x, y });
}
