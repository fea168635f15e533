import { describe, expect, test } from 'vitest';
import { applyCommand } from '../commands.ts';
import { createWorld } from '../create-world.ts';
import { numberedKey } from '../keys.ts';
import { portalPhase } from '../portals.ts';
import {
  bountyOf,
  isAlive,
  ofType,
  order,
  place,
  quietRules,
  quietWorld,
  run,
} from '../testing/arena-builder.ts';
import { moneyBalance } from '../testing/invariants.ts';

const GRACE = 10 * 25;

describe('leaving without a portal', () => {
  test('keeps the body for 10 seconds, then refunds the stake and spills the rest', () => {
    const world = quietWorld();
    const leaver = place(world, { x: 500, y: 500, mass: 400, stake: 1000n });
    place(world, { x: 510, y: 500, mass: 100, stake: 500n }); // eaten at once, so the bounty becomes 1500
    const others = [1, 2, 3].map((i) => place(world, { x: 2500, y: 700 * i, mass: 40, stake: 10n }));
    run(world, 1);
    order(world, { type: 'disconnect', player: leaver });
    expect(ofType(run(world, GRACE), 'departed')).toEqual([]);
    const events = run(world, 1);
    expect(ofType(events, 'departed')).toMatchObject([{ player: leaver, refund: 1000n, spilled: 500n }]);
    expect(ofType(events, 'spillShared')).toEqual([{ type: 'spillShared', each: 166n, players: others }]);
    expect(others.map((player) => bountyOf(world, player))).toEqual([176n, 176n, 176n]);
    expect(world.money.spill).toBe(2n);
    expect(moneyBalance(world)).toBe(0n);
  });

  test('refunds less to a body that has shrunk below its spawn mass', () => {
    const world = quietWorld();
    const leaver = place(world, { x: 500, y: 500, mass: 30, stake: 1001n });
    order(world, { type: 'disconnect', player: leaver });
    const [departed] = ofType(run(world, GRACE + 1), 'departed');
    expect(departed).toMatchObject({ refund: 750n, spilled: 251n });
    expect(world.money.spill).toBe(251n); // nobody is left to share it
    const next = place(world, { x: 500, y: 500, mass: 40, stake: 1n });
    run(world, 1);
    expect(bountyOf(world, next)).toBe(252n);
  });

  test('a player may reconnect in time, and the body may be eaten meanwhile', () => {
    const world = quietWorld();
    const player = place(world, { x: 500, y: 500, mass: 100 });
    order(world, { type: 'disconnect', player });
    run(world, GRACE - 1);
    order(world, { type: 'reconnect', player });
    run(world, 2 * GRACE);
    expect(isAlive(world, player)).toBe(true);

    order(world, { type: 'disconnect', player });
    const hunter = place(world, { x: 500, y: 500, mass: 400 });
    expect(ofType(run(world, 1), 'killed')).toMatchObject([{ victim: player, killer: hunter }]);
    expect(applyCommand(world, { type: 'reconnect', player })).toEqual({
      ok: false,
      refusal: 'unknownPlayer',
    });
  });

  test('a disconnected player does not move or act', () => {
    const world = quietWorld();
    const player = place(world, { x: 500, y: 500, mass: 100 });
    order(world, { type: 'steer', player, x: 1000, y: 0 });
    order(world, { type: 'split', player });
    order(world, { type: 'disconnect', player });
    run(world, 20);
    expect(world.players.centreX[0]).toBe(500);
    expect(world.players.cellCount[0]).toBe(1);
    for (const type of ['split', 'eject', 'disconnect'] as const) {
      expect(applyCommand(world, { type, player })).toEqual({ ok: false, refusal: 'notConnected' });
    }
  });
});

describe('closing a world', () => {
  test('is announced every minute, opens the portals in the last one, then returns every bounty', () => {
    const world = quietWorld();
    const player = place(world, { x: 500, y: 500, mass: 100, stake: 77n });
    order(world, { type: 'close', inSeconds: 150 });
    const early = run(world, 89 * 25);
    expect(ofType(early, 'closing').map(({ secondsLeft }) => secondsLeft)).toEqual([150, 120]);
    expect(portalPhase(world.portals)).toBe('idle');
    const late = run(world, 60 * 25);
    expect(portalPhase(world.portals)).toBe('active');
    expect(ofType(late, 'closing').map(({ secondsLeft }) => secondsLeft)).toEqual([60]);
    const end = run(world, 26);
    expect(ofType(end, 'bountyReturned')).toMatchObject([{ player, bounty: 77n, reason: 'closed' }]);
    expect(ofType(end, 'ended')).toEqual([{ type: 'ended', reason: 'closed', spillKept: 0n }]);
    expect(moneyBalance(world)).toBe(0n);
    const tick = world.clock.tick;
    expect(run(world, 5)).toEqual([]);
    expect(world.clock.tick).toBe(tick);
    expect(applyCommand(world, { type: 'join', stake: 1n })).toEqual({ ok: false, refusal: 'worldEnded' });
  });

  test('lets no bot join in its last step', () => {
    const world = quietWorld();
    order(world, { type: 'setPopulation', count: 3 });
    order(world, { type: 'close', inSeconds: 0 });
    const events = run(world, 1);
    expect(events.map(({ type }) => type)).toEqual(['closing', 'ended']);
    expect(world.players.livingCount).toBe(0);
    expect(moneyBalance(world)).toBe(0n);
  });

  test('a fault returns every bounty at once', () => {
    const world = quietWorld();
    const players = [500, 1500, 2500].map((x) => place(world, { x, y: 500, mass: 50, stake: BigInt(x) }));
    order(world, { type: 'end', reason: 'fault' });
    const events = run(world, 1);
    expect(ofType(events, 'bountyReturned').map(({ player, bounty }) => [player, bounty])).toEqual(
      players.map((player, i) => [player, [500n, 1500n, 2500n][i]]),
    );
    expect(world.money.paidOut).toBe(4500n);
  });

  test('a leftover spill is shared in the next world of the lobby', () => {
    const world = createWorld({ key: numberedKey(1), rules: quietRules, spill: 9n });
    const player = place(world, { x: 500, y: 500, mass: 50, stake: 1n });
    run(world, 1);
    expect(bountyOf(world, player)).toBe(10n);
    expect(moneyBalance(world)).toBe(9n);
  });
});
