import { BODY } from '@engulf/sim/bodies';
import { radiusToMass, type SizeLaw } from '@engulf/sim/size';
import { type BitReader, readBits, readVar } from '../format/bits.ts';
import { GAP_BITS, KIND_BITS, RADIUS_BITS, STEP_COUNT_BITS } from '../format/message-format.ts';
import { readMotion } from '../format/motion.ts';
import {
  FINE_PER_UNIT,
  isAtRest,
  moveTrack,
  readTrack,
  STEPS_PER_UNIT,
  type Tracks,
} from '../format/tracks.ts';
import type { WorldHeader } from '../format/world-header.ts';
import type { ArenaDecoder } from './arena-decoder.ts';
import type { BodyView, BodyViewKind, Group } from './arena-view.ts';

const KIND_NAMES: { readonly [kind: number]: BodyViewKind | undefined } = {
  [BODY.cell]: 'cell',
  [BODY.ejected]: 'massFood',
  [BODY.virus]: 'virus',
};

export function readRemovals(reader: BitReader, decoder: ArenaDecoder): void {
  const { view, tracks } = decoder;
  const { bodies } = view;
  const before = tracks.count;
  let kept = 0;
  let next = 0;
  while (readBits(reader, 1) === 1) {
    const isGone = readBits(reader, 1) === 1;
    const removed = next + readVar(reader);
    if (reader.isMalformed || removed >= before) {
      reader.isMalformed = true;
      break;
    }
    kept = keepTracks(decoder, next, removed, kept);
    remove(decoder, bodies[removed]!, isGone);
    next = removed + 1;
  }
  kept = keepTracks(decoder, next, before, kept);
  tracks.count = kept;
  bodies.length = kept;
}

/** The counterpart of `writeMotions`. */
export function readMotions(reader: BitReader, decoder: ArenaDecoder, gap: number, world: WorldHeader): void {
  const { tracks } = decoder;
  const stepCount = gap === 1 ? 1 : readBits(reader, STEP_COUNT_BITS);
  if (stepCount === 0) readTracks(reader, tracks, world);
  let ticksLeft = gap;
  for (let i = 0; i < stepCount && !reader.isMalformed; i++) {
    const ticks = stepCount === gap ? 1 : readBits(reader, GAP_BITS);
    if (ticks === 0) reader.isMalformed = true;
    ticksLeft -= ticks;
    readStep(reader, tracks, ticks, world);
  }
  if (stepCount > 0 && ticksLeft !== 0) reader.isMalformed = true;
  if (!reader.isMalformed) moveBodies(decoder, world.rules.size);
}

function readTracks(reader: BitReader, tracks: Tracks, world: WorldHeader): void {
  for (let track = 0; track < tracks.count && !reader.isMalformed; track++) {
    readTrack(reader, tracks, track, world);
    tracks.radius[track] = readBits(reader, RADIUS_BITS);
  }
}

function readStep(reader: BitReader, tracks: Tracks, ticks: number, world: WorldHeader): void {
  const isAllStill = hasAnyAtRest(tracks) && readBits(reader, 1) === 1;
  for (let track = 0; track < tracks.count && !reader.isMalformed; track++) {
    const isStill = isAllStill && isAtRest(tracks, track);
    if (!isStill) readMotion(reader, tracks, track, ticks, world);
  }
}

function moveBodies(decoder: ArenaDecoder, law: SizeLaw): void {
  const { tracks, view } = decoder;
  for (let track = 0; track < tracks.count; track++) {
    const body = view.bodies[track]!;
    const { x, y, radius } = body;
    moveBody(body, tracks, track, law);
    if (body.x !== x || body.y !== y || body.radius !== radius) groupOf(decoder, body.kind).update.push(body);
  }
}

function hasAnyAtRest(tracks: Tracks): boolean {
  for (let track = 0; track < tracks.count; track++) if (isAtRest(tracks, track)) return true;
  return false;
}

export function readAdditions(reader: BitReader, decoder: ArenaDecoder, world: WorldHeader): void {
  const { view, tracks, update, lastRadius } = decoder;
  while (readBits(reader, 1) === 1) {
    const kindCode = readBits(reader, KIND_BITS);
    const kind = KIND_NAMES[kindCode];
    if (tracks.count >= world.maxBodies) reader.isMalformed = true;
    else readTrack(reader, tracks, tracks.count, world);
    const radius = readBits(reader, 1) === 1 ? lastRadius[kindCode]! : readBits(reader, RADIUS_BITS);
    lastRadius[kindCode] = radius;
    const owner = kindCode === BODY.virus ? undefined : readBits(reader, world.playerBits);
    const player = owner === undefined ? undefined : view.players.get(owner);
    const isOwnerless = kind === 'cell' && !player;
    if (reader.isMalformed || !kind || isOwnerless) {
      reader.isMalformed = true;
      return;
    }
    const body: BodyView = {
      id: decoder.nextBodyId++,
      kind,
      player,
      colour: player?.colour ?? 0,
      x: 0,
      y: 0,
      velocityX: 0,
      velocityY: 0,
      radius: 0,
      mass: 0,
      isPrimary: false,
      isGone: false,
    };
    tracks.isCoasting[tracks.count] = kind === 'cell' ? 0 : 1;
    tracks.radius[tracks.count] = radius;
    moveBody(body, tracks, tracks.count, world.rules.size);
    tracks.count++;
    view.bodies.push(body);
    groupOf(decoder, kind).add.push(body);
    if (kind === 'cell' && player!.cells.push(body) === 1) update.players.add.push(player!);
  }
}

/** Moves the tracks [from, to) and their bodies down to `kept`. Returns the new end of the kept tracks. */
function keepTracks({ tracks, view }: ArenaDecoder, from: number, to: number, kept: number): number {
  if (kept === from) return to;
  let end = kept;
  for (let track = from; track < to; track++) {
    moveTrack(tracks, track, end);
    view.bodies[end++] = view.bodies[track]!;
  }
  return end;
}

function remove(decoder: ArenaDecoder, body: BodyView, isGone: boolean): void {
  body.isGone = isGone;
  groupOf(decoder, body.kind).remove.push(body);
  if (body.kind !== 'cell') return;
  const player = body.player!;
  player.cells.splice(player.cells.indexOf(body), 1);
  if (player.cells.length === 0) decoder.update.players.remove.push(player);
}

/** Puts a body where its track is. */
function moveBody(body: BodyView, tracks: Tracks, track: number, law: SizeLaw): void {
  body.x = tracks.x[track]! / FINE_PER_UNIT;
  body.y = tracks.y[track]! / FINE_PER_UNIT;
  body.velocityX = tracks.velocityX[track]! / FINE_PER_UNIT;
  body.velocityY = tracks.velocityY[track]! / FINE_PER_UNIT;
  const radius = tracks.radius[track]! / STEPS_PER_UNIT;
  if (radius === body.radius) return;
  body.radius = radius;
  body.mass = radiusToMass(law, radius);
}

function groupOf({ update }: ArenaDecoder, kind: BodyViewKind): Group<BodyView> {
  return kind === 'cell' ? update.cells : kind === 'massFood' ? update.massFood : update.viruses;
}
