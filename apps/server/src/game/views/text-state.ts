import { avatarUrlOf } from '@engulf/domain/profile/avatar';
import { PLAYER_COLOUR_COUNT } from '@engulf/domain/profile/colour';
import { createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import {
  type ArenaUpdate,
  type ArenaView,
  type BodyView,
  type FoodView,
  type Group,
  type PlayerView,
  portalTiming,
} from '@engulf/netcode/decode/arena-view';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';

type PortalView = ArenaView['portals'][number];

/** Turns the updates of a view stream into objects, for clients that get JSON. */
export function createTextState(): (bytes: Uint8Array) => object {
  const decoder = createArenaDecoder();
  return (bytes) => {
    if (decodeUpdate(decoder, bytes) === 'needsFull') throw new Error('a view stream lost its thread');
    const { view, update } = decoder;
    return update.type === 'full' ? fullState(view) : deltaState(view, update);
  };
}

function fullState(view: ArenaView): object {
  const bodies = (kind: BodyView['kind']) => view.bodies.filter((body) => body.kind === kind);
  const inView = [...view.players.values()].filter(({ cells }) => cells.length > 0);
  return {
    ...shared(view),
    players: inView.map((player) => describePlayer(view, player)),
    food: [...view.food.values()].map(describeFood),
    massFood: bodies('massFood').map(describeMassFood),
    viruses: bodies('virus').map(describeVirus),
    portals: view.portals.map((portal) => describePortal(view, portal)),
  };
}

/** Apply it in the order remove, update, add. What is removed is named by its id. */
function deltaState(view: ArenaView, update: ArenaUpdate): object {
  return {
    ...shared(view),
    players: groupOf(changedPlayers(update), (player) => describePlayer(view, player)),
    food: groupOf(update.food, describeFood),
    massFood: groupOf(update.massFood, describeMassFood),
    viruses: groupOf(update.viruses, describeVirus),
    portals: groupOf(update.portals, (portal) => describePortal(view, portal)),
  };
}

function shared(view: ArenaView) {
  const timing = portalTiming(view)!;
  const { tide, world } = view;
  return {
    player: view.own ? describePlayer(view, view.own) : null,
    allPortals: view.portals.map((portal) => describePortal(view, portal)),
    portalTiming: {
      waveActive: timing.waveActive,
      inWarningPhase: timing.inWarningPhase,
      timeUntilNextWave: timing.timeUntilNextWaveMs,
    },
    tide: { size: tide.size, goal: tide.goal, near: (world!.worldSize - tide.size) / 2 },
  };
}

/** A player has changed if one of its cells has. */
function changedPlayers({ players, cells }: ArenaUpdate): Group<PlayerView> {
  const touched = [...cells.add, ...cells.update, ...cells.remove].map(({ player }) => player!);
  const changed = new Set([...players.update, ...touched]);
  for (const player of [...players.add, ...players.remove]) changed.delete(player);
  return { ...players, update: [...changed] };
}

function groupOf<Entity extends { readonly id: number }>(
  { add, update, remove }: Group<Entity>,
  describe: (entity: Entity) => object,
) {
  return { add: add.map(describe), update: update.map(describe), remove: remove.map(({ id }) => id) };
}

function describePlayer({ world, tick }: ArenaView, player: PlayerView) {
  const { id, name, reward, isAdmin, picture, cells, invulnerableUntilTick } = player;
  const massTotal = cells.reduce((sum, { mass }) => sum + mass, 0);
  const centre = (axis: 'x' | 'y') =>
    massTotal === 0 ? 0 : cells.reduce((sum, cell) => sum + cell[axis] * cell.mass, 0) / massTotal;
  const ticksLeft = Math.max(0, invulnerableUntilTick - tick);
  const primary = cells.reduce<BodyView | undefined>(
    (largest, cell) => (largest && largest.mass >= cell.mass ? largest : cell),
    undefined,
  );
  return {
    id,
    name,
    x: centre('x'),
    y: centre('y'),
    massTotal,
    ...colours(player.colour),
    admin: isAdmin,
    avatarUrl: picture === undefined ? null : avatarUrlOf(picture),
    reward,
    isInvulnerable: ticksLeft > 0,
    invulnerabilityTimeRemaining: ticksLeft / world!.ticksPerSecond,
    cells: cells.map((cell) => ({ ...placeOf(cell), mass: cell.mass, isPrimary: cell === primary })),
  };
}

/** Also under the short keys by which clients know food. */
function describeFood({ id, x, y, mass, radius, colour }: FoodView) {
  return { id, x, y, mass, radius, m: mass, c: colour };
}

function describeMassFood(body: BodyView) {
  return {
    ...placeOf(body),
    mass: body.mass,
    ...colours(body.colour),
    playerId: body.player?.id ?? null,
  };
}

const describeVirus = (body: BodyView) => placeOf(body);

function describePortal(view: ArenaView, { id, x, y, radius, state }: PortalView) {
  const { ticksPerSecond, portalActiveTicks } = view.world!;
  const ticksLeft = Math.max(0, view.portalPhaseEndsAtTick - view.tick);
  return {
    id,
    x,
    y,
    radius,
    state,
    timer: (ticksLeft * 1000) / ticksPerSecond,
    maxTimer: (portalActiveTicks * 1000) / ticksPerSecond,
  };
}

function placeOf({ id, x, y, radius }: BodyView) {
  return { id, x, y, radius };
}

function colours(colour: number) {
  const hue = Math.round((colour * 360) / PLAYER_COLOUR_COUNT);
  return { hue, color: `hsl(${hue}, 100%, 60%)` };
}
