import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { pino } from 'pino';
import { createEntrance, type EntranceOptions } from '../../src/game/entrance/entrance.ts';
import { letIn } from '../../src/game/entrance/let-in.ts';
import { createSampledLog } from '../../src/game/entrance/sampled-log.ts';
import type { GameDeps, GameLobby } from '../../src/game/ports.ts';
import { type Game, startRooms } from '../../src/game/room/start-rooms.ts';
import { openRoomSockets } from '../../src/game/sockets/accept.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createMemoryChat, type MemoryChat } from './memory-chat.ts';
import { createMemoryPorts, type MemoryPorts } from './memory-ports.ts';

export type ArenaServer = {
  readonly url: string;
  readonly ports: MemoryPorts;
  readonly chat: MemoryChat;
  readonly clock: ManualClock;
  readonly game: Game;
  /**
   * Lets game time pass tick by tick until the condition neither throws nor is false. Before each tick the sockets
   * get a moment for a round trip.
   */
  until(condition: () => unknown, beforeTick?: () => void): Promise<void>;
  /** Lets game time pass. */
  play(seconds: number): Promise<void>;
  stop(): Promise<void>;
};

const TICK_MS = 1000 / standardRules.stepsPerSecond;
/** Also keeps a client that sends one message per tick below the room's limit of frames per real second. */
const ROUND_TRIP_MS = 4;
/** Of game time: far more than any test needs, a few seconds of real time. */
const MAX_TICKS = 60 * standardRules.stepsPerSecond;

/** Real rooms on a loopback port, with a manual clock and everything behind the ports in memory. */
export async function startArenaServer(
  lobbies: GameLobby[],
  rules: Rules,
  { deps = {}, ...changes }: Partial<EntranceOptions> & { readonly deps?: Partial<GameDeps> } = {},
): Promise<ArenaServer> {
  const { ports, chat, clock, logger, ...rest } = createTestDeps(lobbies, rules);
  const entrance = createEntrance({
    clock,
    log: createSampledLog(logger, clock),
    addressOf: ({ socket }) => socket.remoteAddress!,
    isOwnOrigin: () => true,
    limitScale: 1_000,
    ...changes,
  });
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = openRoomSockets(entrance);
  server.on('upgrade', (request, socket, head) => {
    if (letIn(entrance, request)) sockets.accept(request, socket, head);
  });
  const game = await startRooms({ ports, chat, clock, logger, ...rest, ...deps });
  sockets.enter = game.enter;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tick = async () => {
    await sleep(ROUND_TRIP_MS);
    clock.advance(TICK_MS);
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports,
    chat,
    clock,
    game,
    until: async (condition, beforeTick) => {
      for (let ticks = 0; !holds(condition, ticks >= MAX_TICKS); ticks++) {
        beforeTick?.();
        await tick();
      }
    },
    play: async (seconds) => {
      for (let ticks = Math.ceil(seconds * rules.stepsPerSecond); ticks > 0; ticks--) await tick();
    },
    stop: async () => {
      await game.close();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The game's dependencies with a manual clock and everything behind the ports in memory. */
export function createTestDeps(
  lobbies: GameLobby[],
  rules: Rules = QUICK_RULES,
): GameDeps & { readonly ports: MemoryPorts; readonly chat: MemoryChat; readonly clock: ManualClock } {
  return {
    ports: createMemoryPorts(lobbies),
    chat: createMemoryChat(),
    isTesting: false,
    clock: createManualClock(),
    rules,
    logger: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
  };
}

/** A small arena without food or viruses, in which things happen quickly. */
export const QUICK_RULES: Rules = {
  ...standardRules,
  worldSize: 1_000,
  spawn: { ...standardRules.spawn, invulnerableSeconds: 0.04 },
  food: { ...standardRules.food, count: 0 },
  viruses: { ...standardRules.viruses, count: 0 },
  portals: { ...standardRules.portals, idleSeconds: 600, borderDistance: 100, spacing: 300 },
  departure: { graceSeconds: 1 },
};

function holds(condition: () => unknown, isLastTry: boolean): boolean {
  try {
    if (condition() !== false) return true;
  } catch (error) {
    if (isLastTry) throw error;
  }
  if (isLastTry) throw new Error('The condition did not become true');
  return false;
}
