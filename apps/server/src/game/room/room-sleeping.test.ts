import { afterEach, expect, test } from 'vitest';
import { enter, spectate } from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { freeLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';

let server: ArenaServer;

afterEach(() => server.stop());

const HOUR_MS = 3_600_000;
const awakeTicks = ROOM_LIMITS.sleepAfterSeconds * QUICK_RULES.stepsPerSecond;

test('a lobby that nobody enters is paused, stays online, and resumes when somebody joins', async () => {
  const lobby = freeLobby();
  server = await startArenaServer([lobby], QUICK_RULES);
  server.clock.advance(HOUR_MS);
  server.ports.live.clear();
  server.clock.advance(2_000);
  expect(server.ports.live.has(lobby.id)).toBe(true);
  const { client } = await enter(server, lobby);
  const { view } = client.decoder;
  expect(view.tick).toBeGreaterThanOrEqual(awakeTicks);
  expect(view.tick).toBeLessThan(2 * awakeTicks);
  const { tick } = view;
  await server.play(1);
  expect(view.tick).toBeGreaterThanOrEqual(tick + QUICK_RULES.stepsPerSecond - 2);
});

test('a paused lobby resumes for a spectator, too, and is paused again afterwards', async () => {
  const lobby = freeLobby();
  server = await startArenaServer([lobby], QUICK_RULES);
  server.clock.advance(HOUR_MS);
  const first = await spectate(server, lobby);
  await server.until(() => first.decoder.view.tick > awakeTicks + 5);
  await first.leave();
  const { tick } = first.decoder.view;
  await server.play(1);
  server.clock.advance(HOUR_MS);
  const second = await spectate(server, lobby);
  await server.until(() => second.decoder.view.tick > tick);
  expect(second.decoder.view.tick).toBeLessThan(tick + 2 * awakeTicks);
});
