// @vitest-environment happy-dom

import { failure } from '@engulf/domain/errors/registry';
import { expect, test } from 'vitest';
import { aLobby, FREE } from '../../testing/fixtures.ts';
import type { ArenaVisit } from './arena-visit.ts';
import { guardUnload } from './guard-unload.ts';
import { createArenaEvents } from './net/events.ts';

const player = (lobby = aLobby()): ArenaVisit => ({ type: 'player', lobby, joinTicket: 't' });

function isAsked(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

test('asks from the join until the game is over', () => {
  const events = createArenaEvents();
  const stop = guardUnload(player(), events);
  expect(isAsked()).toBe(false);
  events.publish({ type: 'joined' });
  expect(isAsked()).toBe(true);
  events.publish({ type: 'disconnected', wasHidden: false });
  expect(isAsked()).toBe(false);
  stop();
});

test('asks no more once the arena is gone', () => {
  const events = createArenaEvents();
  const stop = guardUnload(player(), events);
  events.publish({ type: 'joined' });
  stop();
  expect(isAsked()).toBe(false);
});

test.each<[string, ArenaVisit]>([
  ['a free lobby', player(aLobby(FREE))],
  ['a spectator', { type: 'spectator', lobby: aLobby() }],
])('does not ask in the case of %s', (_, visit) => {
  const events = createArenaEvents();
  const stop = guardUnload(visit, events);
  events.publish({ type: 'joined' });
  expect(isAsked()).toBe(false);
  stop();
});

test('does not ask when the join was refused', () => {
  const events = createArenaEvents();
  const stop = guardUnload(player(), events);
  events.publish({ type: 'joinFailed', failure: failure('LOBBY_FULL') });
  expect(isAsked()).toBe(false);
  stop();
});
