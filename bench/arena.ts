import { BODY, type BodyKind } from '@engulf/sim/bodies';
import { addCell, changeCellMass, removeCell } from '@engulf/sim/cells';
import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import type { ArenaEvent } from '@engulf/sim/events';
import { FOOD_CHUNK, FOOD_SLOTS } from '@engulf/sim/food';
import { numberedKey } from '@engulf/sim/keys';
import { addPlayer, playerId } from '@engulf/sim/players';
import type { Rules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import type { World } from '@engulf/sim/world';

/** What both implementations offer to the load and the comparison. Players and bodies are named by slot. */
export type Arena = {
  /** Adds a player without cells at this centre, in the lowest free slot. */
  join(x: number, y: number, invulnerableTicks: number): number;
  isAlive(player: number): boolean;
  centreOf(player: number): { x: number; y: number };
  cellsOf(player: number): readonly { slot: number; massMilli: number }[];
  addCell(player: number, x: number, y: number, massMilli: number, mergeTick: number): void;
  removeCell(cell: number): void;
  setMass(cell: number, massMilli: number): void;
  steer(player: number, offsetX: number, offsetY: number): void;
  split(player: number): void;
  eject(player: number): void;
  step(): void;
  /** The outcome of the last step. */
  outcomes(): readonly Outcome[];
  /** Every body and every piece of food, one line each, exact to the last bit. */
  describe(): string[];
};

export type Outcome =
  | { readonly type: 'cellEaten'; readonly eater: number; readonly prey: number; readonly massMilli: number }
  | { readonly type: 'killed'; readonly killer: number; readonly victim: number }
  | { readonly type: 'burst'; readonly player: number; readonly pieces: number }
  | { readonly type: 'virusShot' };

export function simArena(seed: number, rules: Rules): Arena {
  const world = createWorld({ key: numberedKey(seed), rules });
  const { players, bodies } = world;
  let events: readonly ArenaEvent[] = [];
  return {
    join(x, y, invulnerableTicks) {
      const player = addPlayer(players, STAKE, false);
      if (player < 0) throw new Error('The world is full');
      world.money.paidIn += STAKE;
      players.centreX[player] = x;
      players.centreY[player] = y;
      players.invulnerableUntilTick[player] = world.clock.tick + invulnerableTicks;
      return player;
    },
    isAlive: (player) => players.isAlive[player] === 1,
    centreOf: (player) => ({ x: players.centreX[player]!, y: players.centreY[player]! }),
    cellsOf(player) {
      const first = player * rules.maxCellsPerPlayer;
      const slots = players.cells.subarray(first, first + players.cellCount[player]!);
      return Array.from(slots, (slot) => ({ slot, massMilli: bodies.massMilli[slot]! }));
    },
    addCell(player, x, y, massMilli, mergeTick) {
      bodies.mergeTick[addCell(world, player, x, y, massMilli)] = mergeTick;
    },
    removeCell: (cell) => removeCell(world, cell),
    setMass: (cell, massMilli) => changeCellMass(world, cell, massMilli - bodies.massMilli[cell]!),
    steer: (player, x, y) => command(world, { type: 'steer', player: playerId(players, player), x, y }),
    split: (player) => command(world, { type: 'split', player: playerId(players, player) }),
    eject: (player) => command(world, { type: 'eject', player: playerId(players, player) }),
    step() {
      events = step(world);
    },
    outcomes: () => events.flatMap(toOutcome),
    describe: () => [...describeBodies(world), ...describeFood(world)],
  };
}

const STAKE = 1_000_000n;

function command(world: World, toApply: Parameters<typeof applyCommand>[1]): void {
  const applied = applyCommand(world, toApply);
  if (!applied.ok) throw new Error(`The load's ${toApply.type} was refused: ${applied.refusal}`);
}

function toOutcome(event: ArenaEvent): Outcome[] {
  switch (event.type) {
    case 'cellEaten':
      return [{ type: event.type, eater: event.eater, prey: event.prey, massMilli: event.massMilli }];
    case 'killed':
      return [{ type: event.type, killer: event.killer, victim: event.victim }];
    case 'burst':
      return [{ type: event.type, player: event.player, pieces: event.pieces }];
    case 'virusShot':
      return [{ type: event.type }];
    default:
      return [];
  }
}

export type DescribedBody = {
  slot: number;
  kind: 'cell' | 'ejected' | 'virus';
  owner: number;
  x: number;
  y: number;
  massMilli: number;
  boostX: number;
  boostY: number;
  mergeTick: number;
};

export function describeBody(body: DescribedBody): string {
  const { slot, kind, owner, x, y, massMilli, boostX, boostY, mergeTick } = body;
  return `${slot}: ${kind} of ${owner} at ${x},${y} mass ${massMilli} boost ${boostX},${boostY} merges ${mergeTick}`;
}

export function describePiece(x: number, y: number, mass: number, colour: number): string {
  return `food at ${x},${y} mass ${mass} colour ${colour}`;
}

const KIND_NAMES: Partial<Record<BodyKind, DescribedBody['kind']>> = {
  [BODY.cell]: 'cell',
  [BODY.ejected]: 'ejected',
  [BODY.virus]: 'virus',
};

function describeBodies({ bodies }: World): string[] {
  const lines: string[] = [];
  for (let slot = 0; slot < bodies.top; slot++) {
    const kind = KIND_NAMES[bodies.kind[slot] as BodyKind];
    if (!kind) continue;
    lines.push(
      describeBody({
        slot,
        kind,
        owner: bodies.owner[slot]!,
        x: bodies.x[slot]!,
        y: bodies.y[slot]!,
        massMilli: bodies.massMilli[slot]!,
        boostX: bodies.boostX[slot]!,
        boostY: bodies.boostY[slot]!,
        mergeTick: bodies.mergeTick[slot]!,
      }),
    );
  }
  return lines;
}

function describeFood({ food }: World): string[] {
  const lines: string[] = [];
  for (let place = 0; place < food.mass.length; place++) {
    if (food.mass[place] === 0) continue;
    const chunk = Math.floor(place / FOOD_SLOTS);
    const x = (chunk % food.chunksPerSide) * FOOD_CHUNK + food.offsetX[place]!;
    const y = Math.floor(chunk / food.chunksPerSide) * FOOD_CHUNK + food.offsetY[place]!;
    lines.push(describePiece(x, y, food.mass[place]!, food.colour[place]!));
  }
  return lines.sort();
}
