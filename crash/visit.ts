import { setTimeout as sleep } from 'node:timers/promises';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { joinRoom, type RoomPlayer, resumeRoom, SCREEN } from '@engulf/trials/room-player';
import { BUSY_RULES } from './busy-rules.ts';
import type { Random } from './random.ts';
import { type InputsKeys, signInputs } from './sign-inputs.ts';

/** Of all players and matches; their signatures tell them apart. */
export const receiptsSeen: RoomServerPayload<'receipt'>[] = [];

/** How somebody leaves who is still alive after a while. */
export type Leaving = 'portal' | 'forfeit' | 'drop';

/** For measurements. Watched clients lose their connection now and then, and reconnect. */
export type VisitWatch = {
  joined(tookMs: number): void;
  /** Returns what to call with every update of one client. */
  updates(): () => void;
  dropped(): void;
  reconnected(): void;
};

type VisitOptions = {
  readonly leaving: Leaving;
  readonly maxMs: number;
  readonly random: Random;
  readonly inputsKeys: InputsKeys;
  readonly watch?: VisitWatch | undefined;
  /** The arena is seen. */
  readonly onShown?: () => void;
  /** How long after the end of the own body the result came. */
  readonly onResult?: ((afterMs: number) => void) | undefined;
};

/** Bounties move only when somebody is eaten. */
const HUNTERS = 0.5;
const PREY = 0.8;
/** A little above what the rules ask for. */
const EATS_AT = BUSY_RULES.eating.massRatio * 1.01;
const STEER_MS = 60;
const LOSE_CONNECTION = 0.002;
const RESUME_TRIES = 12;
const RESUME_MS = 800;

/** How a visit ends when the match continues in another process: its address, if the room announced it. */
export type Moved = RoomServerPayload<'matchMoved'>;

/** Plays with a ticket until the game is over, the match moves, the server dies or the time is up. */
export async function visit(
  url: string,
  lobbyId: string,
  joinTicket: string,
  { leaving, maxMs, random, inputsKeys, watch, onShown, onResult }: VisitOptions,
): Promise<string | Moved> {
  const askedMs = performance.now();
  let room = await joinRoom(url, { type: 'player', lobbyId, joinTicket });
  watch?.joined(performance.now() - askedMs);
  const onUpdate = watch?.updates();
  const inputs = signInputs(inputsKeys);
  const outcome = Promise.withResolvers<string | Moved>();
  let isPlaying = true;
  let isShown = false;
  /** When the own body was last seen. */
  let aliveMs: number | undefined;
  const follow = (player: RoomPlayer) => {
    room = player;
    inputs.follow(player);
    player.onUpdate(() => {
      if (!isShown) onShown?.();
      isShown = true;
      if (player.view.primary) aliveMs = performance.now();
      onUpdate?.();
    });
    player.onMessage((message) => {
      if (message.type === 'gameOver' && aliveMs !== undefined) onResult?.(performance.now() - aliveMs);
      if (message.type === 'gameOver') outcome.resolve(message.payload.cause);
      if (message.type === 'matchMoved') outcome.resolve(message.payload);
      if (message.type === 'receipt') receiptsSeen.push(message.payload);
    });
    void player.closed.then(async (code) => {
      if (!isPlaying) return;
      watch?.dropped();
      const back = watch && (await comeBack(url, lobbyId, player.resumeToken));
      if (!back) outcome.resolve(`closed ${code}`);
      else {
        watch.reconnected();
        follow(back);
        back.send('spawn', SCREEN);
      }
    });
  };
  follow(room);
  setTimeout(() => outcome.resolve('time is up'), maxMs);
  room.send('spawn', SCREEN);
  const isHunter = random.chance(HUNTERS);
  const isPrey = !isHunter && random.chance(PREY);
  const wander = { x: random.between(200, 1_200), y: random.between(200, 1_200) };
  const steering = setInterval(() => {
    const { primary, portals, bodies, food } = room.view;
    if (!primary || !room.isOpen()) return;
    const portal = leaving === 'portal' ? portals.find(({ state }) => state === 'active') : undefined;
    const prey = bodies.find((body) => body.kind === 'cell' && body.mass * EATS_AT < primary.mass);
    // Whoever is hungry eats before leaving. The others sit where they can be found.
    const target = isHunter
      ? (prey ?? nearest(food.values(), primary) ?? wander)
      : (portal ?? (isPrey ? primary : wander));
    const [x, y] = [Math.round(target.x - primary.x), Math.round(target.y - primary.y)];
    inputs.send(room, { type: 'movement', x, y });
    if (random.chance(0.02))
      Object.assign(wander, { x: random.between(200, 1_200), y: random.between(200, 1_200) });
    if (random.chance(0.01)) inputs.send(room, { type: 'split', x, y });
    if (watch && random.chance(LOSE_CONNECTION)) room.drop();
  }, STEER_MS);
  const result = await outcome.promise;
  clearInterval(steering);
  isPlaying = false;
  if (leaving === 'drop') room.drop();
  else room.leave();
  return result;
}

type Point = { readonly x: number; readonly y: number };

function nearest(points: Iterable<Point>, to: Point): Point | undefined {
  const distance = ({ x, y }: Point) => Math.hypot(x - to.x, y - to.y);
  let found: Point | undefined;
  for (const point of points) if (!found || distance(point) < distance(found)) found = point;
  return found;
}

/** As the page does, for as long as a body waits. */
async function comeBack(url: string, lobbyId: string, token: string): Promise<RoomPlayer | undefined> {
  for (let tries = 1; tries <= RESUME_TRIES; tries++) {
    try {
      return await resumeRoom(url, lobbyId, token);
    } catch (error) {
      if ((error as Error).message !== 'DISCONNECTED') return undefined;
      await sleep(RESUME_MS);
    }
  }
  return undefined;
}
