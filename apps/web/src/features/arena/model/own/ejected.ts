import type { BodyView, PlayerView } from '@engulf/netcode/decode/arena-view';
import type { OwnCellRules } from '@engulf/sim/own-cells';
import { massToRadius, radiusToMass } from '@engulf/sim/size';
import { type Bodies, type Body, createBody } from '../playout/bodies.ts';

/*
 * Mass that the player has just ejected is shown at once, flying as it will in the room. When the room's piece comes
 * into the picture, which runs behind, the two are brought together while they fly on. One that the room never sends
 * shrinks away.
 */

export type EjectedMass = ReturnType<typeof createEjectedMass>;

type Piece = {
  readonly key: number;
  readonly body: Body;
  readonly sinceMs: number;
  x: number;
  y: number;
  speedX: number;
  speedY: number;
  isClaimed: boolean;
  /** How far it is shown from the room's piece, once that is in the picture. */
  off: { x: number; y: number } | undefined;
};

type Place = { readonly x: number; readonly y: number };

const CLAIMED_WITHIN_MS = 900;
const SHRINKS_MS = 180;
/** A piece of the room's that is farther away than this has another origin. */
const SAME_PIECE_WITHIN = 420;
/** Mass ejected a moment ago is at most this far from the edge of its cell. */
const EJECT_REACH_WORLD = 160;
const NEVER = Number.POSITIVE_INFINITY;

let pieceKey = -1e9;

export function createEjectedMass(bodies: Bodies) {
  const pieces: Piece[] = [];
  let readyMs = 0;

  return { launch, claim, show };

  /** Every cell that is large enough ejects a piece towards `target`. Returns whether any does. */
  function launch(
    { ejecting, size }: OwnCellRules,
    player: PlayerView,
    cells: Iterable<Body>,
    target: Place,
    nowMs: number,
  ): boolean {
    if (nowMs < readyMs) return false;
    readyMs = nowMs + ejecting.cooldownSeconds * 1000;
    const { launchSpeed } = ejecting;
    const radius = massToRadius(size, ejecting.yieldMass);
    const before = pieces.length;
    for (const cell of cells) {
      if (radiusToMass(size, cell.radius) < ejecting.minMass) continue;
      const distance = Math.hypot(target.x - cell.x, target.y - cell.y) || 1;
      const unitX = (target.x - cell.x) / distance;
      const unitY = (target.y - cell.y) / distance;
      const x = cell.x + unitX * cell.radius;
      const y = cell.y + unitY * cell.radius;
      const key = --pieceKey;
      const look = { kind: 'massFood', player, colour: player.colour, isOwn: true, x, y, radius } as const;
      const body = createBody({ id: key, ...look }, NEVER);
      body.shownSinceMs = nowMs;
      bodies.set(key, body);
      pieces.push({
        key,
        body,
        sinceMs: nowMs,
        x,
        y,
        speedX: unitX * launchSpeed,
        speedY: unitY * launchSpeed,
        isClaimed: false,
        off: undefined,
      });
    }
    return pieces.length > before;
  }

  /**
   * Takes the player's new pieces in the room for those that are shown already. Returns whether there was one too many.
   * Call before the bodies are recorded.
   */
  function claim(added: readonly BodyView[], player: PlayerView, tick: number): boolean {
    const unexpected = added.filter((view) => isJustEjected(view, player) && !claimPiece(view, tick));
    return unexpected.length > 0;
  }

  function claimPiece(view: BodyView, tick: number): boolean {
    let nearest: Piece | undefined;
    let distance = SAME_PIECE_WITHIN;
    for (const piece of pieces) {
      const away = Math.hypot(piece.x - view.x, piece.y - view.y);
      if (piece.isClaimed || away >= distance) continue;
      distance = away;
      nearest = piece;
    }
    if (!nearest) return false;
    nearest.isClaimed = true;
    nearest.body.firstTick = tick;
    bodies.delete(nearest.key);
    bodies.set(view.id, nearest.body);
    return true;
  }

  /** Call when all other bodies are in their places. */
  function show(decayPerSecond: number, tick: number, nowMs: number, elapsedMs: number): void {
    const kept = Math.exp((-decayPerSecond * elapsedMs) / 1000);
    let left = 0;
    for (const piece of pieces) {
      const isJoining = tick >= piece.body.firstTick;
      if (isJoining) join(piece, kept);
      else fly(piece, kept, decayPerSecond);
      const isDone = isJoining && Math.hypot(piece.off!.x, piece.off!.y) < 0.5;
      if (!isDone && !isLost(piece, nowMs)) pieces[left++] = piece;
    }
    pieces.length = left;
  }

  function fly(piece: Piece, kept: number, decayPerSecond: number): void {
    piece.x += (piece.speedX * (1 - kept)) / decayPerSecond;
    piece.y += (piece.speedY * (1 - kept)) / decayPerSecond;
    piece.speedX *= kept;
    piece.speedY *= kept;
    piece.body.x = piece.x;
    piece.body.y = piece.y;
  }

  /** Converges as fast as the launch fades, so that the piece never seems to turn back. */
  function join(piece: Piece, kept: number): void {
    const { body } = piece;
    piece.off ??= { x: piece.x - body.x, y: piece.y - body.y };
    piece.off.x *= kept;
    piece.off.y *= kept;
    body.x += piece.off.x;
    body.y += piece.off.y;
  }

  function isLost(piece: Piece, nowMs: number): boolean {
    if (piece.isClaimed) return false;
    const overdueMs = nowMs - piece.sinceMs - CLAIMED_WITHIN_MS;
    if (overdueMs <= 0) return false;
    piece.body.radius *= Math.max(0, 1 - overdueMs / SHRINKS_MS);
    if (overdueMs < SHRINKS_MS) return false;
    bodies.delete(piece.key);
    return true;
  }
}

/** The messages do not say when mass was ejected; old mass of ours comes into view far from our cells. */
function isJustEjected({ player, x, y }: BodyView, own: PlayerView): boolean {
  if (player !== own) return false;
  return own.cells.some((cell) => Math.hypot(cell.x - x, cell.y - y) < cell.radius + EJECT_REACH_WORLD);
}
