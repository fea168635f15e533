import { matchId } from '@engulf/domain/ids/entity-ids';
import { numberedKey } from '@engulf/sim/keys';
import { NO_BOND } from '@engulf/sim/recording/header';
import { isTruce } from '@engulf/sim/truce';
import { beforeEach, expect, test } from 'vitest';
import { createTestDeps, QUICK_RULES } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import type { Connection } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';
import type { GatheringCall } from '../ports.ts';
import { type Match, startMatch } from './match.ts';
import { attach, spawn, takeSeat } from './seats.ts';
import { stepMatch } from './step.ts';

const CONNECTION: Connection = {
  address: '203.0.113.1',
  send: () => {},
  sendState: () => {},
  canTakeState: () => true,
  kick: () => {},
  expel: () => {},
  close: async () => {},
  refuse: () => {},
  isText: false,
};

let deps: ReturnType<typeof createTestDeps>;
let match: Match;
let said: string[];

beforeEach(() => {
  const lobby = paidLobby();
  deps = createTestDeps([lobby], QUICK_RULES);
  const origin = {
    id: matchId('match'),
    commitment: numberedKey(1),
    publicPart: null,
    secret: numberedKey(2),
    bond: NO_BOND,
  };
  said = [];
  match = startMatch(deps, { lobby, origin, spill: 0n }, (name, payload) => {
    if (name === 'serverMessage') said.push((payload as { message: string }).message);
  });
});

const newCall = (size: number): GatheringCall => ({
  id: 'call',
  size,
  endsAtMs: deps.clock.nowMs() + 20_000,
});

async function enter(call?: GatheringCall): Promise<void> {
  const { ticket } = issueTicket(deps.ports, match.lobby);
  const redeemed = await deps.ports.redeemTicket(ticket, match.lobby.id);
  if (!redeemed.ok) throw new Error('no seat');
  const taken = takeSeat(match, { ...redeemed.value, call });
  if (!taken.ok) throw new Error(taken.error.code);
  attach(match, taken.value, CONNECTION, 'token');
  spawn(match, taken.value, { name: '', screenWidth: 1920, screenHeight: 1080 });
}

function run(seconds: number): void {
  const { stepsPerSecond } = match.world.rules;
  for (let step = 0; step < seconds * stepsPerSecond; step++) {
    deps.clock.advance(1000 / stepsPerSecond);
    stepMatch(match, 0);
  }
}

const isCalm = () => isTruce(match.world.truce);

test('the first waits in a truce for the others, and the game begins for all after a countdown', async () => {
  const call = newCall(2);
  await enter(call);
  run(8);
  expect(isCalm()).toBe(true);
  expect(said).toEqual([expect.stringContaining('Waiting for 1 more')]);
  await enter(call);
  run(ROOM_LIMITS.beginsInSeconds - 1);
  expect(isCalm()).toBe(true);
  run(2);
  expect(isCalm()).toBe(false);
  expect(said.slice(1)).toEqual([
    expect.stringContaining('begins in 5 s'),
    expect.stringContaining('goes on'),
  ]);
});

test('nobody waits for ever for somebody who did not pay', async () => {
  await enter(newCall(2));
  run(30);
  expect(isCalm()).toBe(true);
  run(15);
  expect(isCalm()).toBe(false);
});

test('there is no truce where others play already, nor for a call that is over', async () => {
  await enter();
  await enter();
  await enter(newCall(1));
  expect(isCalm()).toBe(false);
});

test('one who plays alone is joined in a truce', async () => {
  await enter();
  await enter(newCall(1));
  expect(isCalm()).toBe(true);
  run(ROOM_LIMITS.beginsInSeconds + 1);
  expect(isCalm()).toBe(false);
});
