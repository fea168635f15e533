import { userId } from '@engulf/domain/ids/entity-ids';
import { createArenaDecoder } from '@engulf/netcode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode-update';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Match, startMatch } from '../match/match.ts';
import { stepMatch } from '../match/match-step.ts';
import type { Connection } from '../room/connection.ts';
import { ROOM_LIMITS } from '../room/room-limits.ts';
import { QUICK_RULES } from '../testing/arena-server.ts';
import { createMemoryPorts, freeLobby, paidLobby } from '../testing/memory-ports.ts';
import { restartSpectator, seatSpectator, unseatSpectator } from './gallery.ts';

const DELAY_TICKS = ROOM_LIMITS.paidSpectatorDelaySeconds * QUICK_RULES.stepsPerSecond;
const [anna, boris] = [userId('anna'), userId('boris')];

function start(lobby = paidLobby()): Match {
  const ports = createMemoryPorts([lobby]);
  const deps = { ports, rules: QUICK_RULES, isProduction: false, logger: pino({ level: 'silent' }) };
  return startMatch(deps, lobby, 0n, () => {});
}

function run(match: Match, ticks: number): void {
  for (let i = 0; i < ticks; i++) stepMatch(match);
}

function watcher(match: Match) {
  const decoder = createArenaDecoder();
  const seen: { type: string; age: number }[] = [];
  const state = { isReady: true };
  const connection: Connection = {
    send: () => {},
    sendState: (type, bytes) => {
      expect(decodeUpdate(decoder, bytes)).toBe('applied');
      seen.push({ type, age: match.world.clock.tick - decoder.view.tick });
    },
    canTakeState: () => state.isReady,
    kick: () => {},
  };
  return { connection, seen, state };
}

test('where money is at stake, spectators see what was ten seconds ago, from the first snapshot on', () => {
  const match = start();
  const { gallery } = match.views;
  const [first, second] = [watcher(match), watcher(match)];
  seatSpectator(gallery, first.connection, anna);
  run(match, DELAY_TICKS / 2);
  seatSpectator(gallery, second.connection, boris);
  run(match, DELAY_TICKS / 2);
  expect(first.seen).toEqual([]);
  run(match, DELAY_TICKS);
  for (const { seen } of [first, second]) {
    expect(seen[0]!.type).toBe('spectatorFullUpdate');
    expect(seen.length).toBeGreaterThan(90);
    for (const { age } of seen) expect(age).toBe(DELAY_TICKS);
  }
});

test('whoever lost the thread begins anew with the next snapshot; the others miss nothing', () => {
  const match = start();
  const { gallery } = match.views;
  const [steady, lost, slow] = [watcher(match), watcher(match), watcher(match)];
  for (const { connection } of [steady, lost, slow]) seatSpectator(gallery, connection, anna);
  run(match, DELAY_TICKS + 25);
  restartSpectator(gallery, lost.connection);
  slow.state.isReady = false;
  run(match, 25);
  slow.state.isReady = true;
  const seenBefore = lost.seen.length;
  run(match, 3 * DELAY_TICKS);
  for (const { seen } of [lost, slow]) {
    expect(seen[seenBefore]!.type).toBe('spectatorFullUpdate');
    expect(seen.length).toBeGreaterThan(seenBefore + 90);
  }
  expect(steady.seen).toHaveLength(((4 * DELAY_TICKS + 50 - DELAY_TICKS) * 10) / 25);
});

test('nothing is kept for an empty gallery', () => {
  const match = start();
  const { gallery } = match.views;
  const one = watcher(match);
  seatSpectator(gallery, one.connection, anna);
  run(match, 50);
  expect(gallery.held.length).toBeGreaterThan(10);
  unseatSpectator(gallery, one.connection);
  run(match, 3);
  expect(gallery.held).toEqual([]);
});

test('a free lobby is shown as it is', () => {
  const match = start(freeLobby());
  const one = watcher(match);
  seatSpectator(match.views.gallery, one.connection, anna);
  run(match, 50);
  expect(one.seen.length).toBeGreaterThan(15);
  for (const { age } of one.seen) expect(age).toBe(0);
});
