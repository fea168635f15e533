import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { pino } from 'pino';
import { attachGameTransport, withMatchmaking } from '../../http/one-port.ts';
import type { Game, GameLobby } from '../ports.ts';
import { registerGame } from '../room/register-game.ts';
import { createMemoryPorts, type MemoryPorts } from './memory-ports.ts';

export type ArenaServer = {
  readonly url: string;
  readonly ports: MemoryPorts;
  readonly game: Game;
  stop(): Promise<void>;
};

/** Real rooms on a loopback port, with everything behind the ports in memory. */
export async function startArenaServer(lobbies: GameLobby[], rules: Rules, port = 0): Promise<ArenaServer> {
  const ports = createMemoryPorts(lobbies);
  const server = createServer(withMatchmaking((_request, response) => response.writeHead(404).end()));
  const transport = await attachGameTransport(server);
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
  const game = await registerGame({ ports, rules, isProduction: false, logger });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports,
    game,
    stop: async () => {
      await game.close();
      await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A small dish without food or viruses, in which things happen soon. */
export const QUICK_RULES: Rules = {
  ...standardRules,
  worldSize: 1_000,
  spawn: { ...standardRules.spawn, invulnerableSeconds: 0.04 },
  food: { ...standardRules.food, count: 0 },
  viruses: { ...standardRules.viruses, count: 0 },
  portals: { ...standardRules.portals, idleSeconds: 600, borderDistance: 100, spacing: 300 },
  departure: { graceSeconds: 1 },
};
