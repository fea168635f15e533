import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { describe, expect, test } from 'vitest';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  type PaidPlayer,
  payEverything,
  STAKE,
  startPaidServer,
} from '../../testing/paid-players.ts';
import { lamportsOf, newestEntry, payoutsOf, poolOnChain } from '../../testing/players.ts';
import { recoverEntries } from '../entries/recover-entries.ts';
import type { EntryOutcome } from '../game/ports.ts';
import { createMoneyLanes } from '../game-host/money-lanes.ts';
import { gameProcesses } from '../platform/database/games.ts';
import { readLeaderboard, readRanks } from '../stats/leaderboard.ts';

const { server, context, lobby } = await startPaidServer();

async function settle(player: PaidPlayer, outcome: EntryOutcome) {
  return createMoneyLanes(context, async () => true).settleEntry(lobby.id, player.entryId, outcome);
}

describe('a bounty', () => {
  test('moves from the eaten to the eater and through the portal to the wallet, to the lamport', async () => {
    const [eater, prey] = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
    expect(await poolOnChain(context, lobby)).toBe(2n * STAKE);
    const lanes = createMoneyLanes(context, async () => true);
    lanes.recordBountyMoves(lobby.id, [
      { from: prey.entryId, to: eater.entryId, amount: 12_345n },
      { from: prey.entryId, to: eater.entryId, amount: STAKE - 12_345n },
    ]);
    const killed = lanes.settleEntry(lobby.id, prey.entryId, { kind: 'killed', amount: 0n, massMilli: 0 });
    const before = await lamportsOf(context, eater.wallet);
    const cashout = await lanes.settleEntry(lobby.id, eater.entryId, {
      kind: 'cashout',
      amount: 2n * STAKE,
      massMilli: 90_000,
    });
    expect(await killed).toEqual({ amount: 0n, usdValue: null, isNew: true });
    expect(cashout).toEqual({ amount: 2n * STAKE, usdValue: null, isNew: true });
    await payEverything(context, lobby);
    expect(await lamportsOf(context, eater.wallet)).toBe(before + 2n * STAKE);
    expect(await poolOnChain(context, lobby)).toBe(0n);
    const [payout] = await payoutsOf(context, eater.wallet);
    expect(payout).toMatchObject({ amount: 2n * STAKE, isRefund: false, status: 'completed' });
    const [ranked] = await readLeaderboard(context, LEADERBOARD_PERIODS[0]);
    expect(ranked).toMatchObject({
      _id: eater.user.id,
      totalWinningAmount: '95000000',
      totalWinningText: '0.095',
    });
    expect((await readRanks(context, [eater.user.id])).get(eater.user.id)).toBe(1);
    expect((await readRanks(context, [prey.user.id])).size).toBe(0);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is stored with its worth in dollars at the time of the cash-out, however late that is written', async () => {
    const player = await newPaidPlayer(server, lobby);
    let microUsd: bigint | undefined = 150_000_000n;
    const quote = () => {
      const quoted = microUsd;
      return (currency: string) => (currency === 'SOL' ? quoted : undefined);
    };
    const lanes = createMoneyLanes(context, async () => true, { prices: { quote } });
    const outcome: EntryOutcome = { kind: 'cashout', amount: STAKE, massMilli: 40_000 };
    const settling = lanes.settleEntry(lobby.id, player.entryId, outcome);
    microUsd = 1n;
    expect(await settling).toEqual({ amount: STAKE, usdValue: 7_125_000n, isNew: true });
    microUsd = undefined;
    const again = await lanes.settleEntry(lobby.id, player.entryId, outcome);
    expect(again).toMatchObject({ amount: STAKE, usdValue: 7_125_000n, isNew: false });
    expect(await newestEntry(context, player.user)).toMatchObject({ usdValue: 7_125_000n });
  });

  test('is settled once, however often and differently the room asks', async () => {
    const player = await newPaidPlayer(server, lobby);
    const outcomes: EntryOutcome[] = [
      { kind: 'cashout', amount: STAKE, massMilli: 40_000 },
      { kind: 'cashout', amount: STAKE, massMilli: 40_000 },
      { kind: 'forfeit', amount: 1n, massMilli: 40_000 },
    ];
    const settlements = await Promise.all(outcomes.map((outcome) => settle(player, outcome)));
    expect(settlements.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(settlements.map(({ amount }) => amount)).size).toBe(1);
    expect(await payoutsOf(context, player.wallet)).toHaveLength(1);
    await payEverything(context, lobby);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('never pays more than the ledger holds, whatever the room says', async () => {
    const player = await newPaidPlayer(server, lobby);
    const { amount } = await settle(player, { kind: 'forfeit', amount: 10n * STAKE, massMilli: 40_000 });
    expect(amount).toBe(STAKE);
    await payEverything(context, lobby);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('of a leaver spills what is forfeited, and the living can receive it', async () => {
    const [leaver, stayer] = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
    const lanes = createMoneyLanes(context, async () => true);
    const left = lanes.settleEntry(lobby.id, leaver.entryId, {
      kind: 'forfeit',
      amount: 20_000_000n,
      massMilli: 16_000,
    });
    lanes.recordBountyMoves(lobby.id, [{ from: 'spill', to: stayer.entryId, amount: STAKE - 20_000_000n }]);
    expect((await left).amount).toBe(20_000_000n);
    const { amount } = await lanes.settleEntry(lobby.id, stayer.entryId, {
      kind: 'cashout',
      amount: 2n * STAKE - 20_000_000n,
      massMilli: 50_000,
    });
    expect(amount).toBe(2n * STAKE - 20_000_000n);
    await payEverything(context, lobby);
    expect((await payoutsOf(context, leaver.wallet))[0]).toMatchObject({
      amount: 20_000_000n,
      isRefund: true,
    });
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('cannot be overdrawn: such a move is refused and the books stay right', async () => {
    const [rich, poor] = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
    const lanes = createMoneyLanes(context, async () => true);
    lanes.recordBountyMoves(lobby.id, [{ from: poor.entryId, to: rich.entryId, amount: STAKE + 1n }]);
    await lanes.drain();
    expect((await settle(poor, { kind: 'closed', amount: STAKE, massMilli: 1 })).amount).toBe(STAKE);
    expect((await settle(rich, { kind: 'closed', amount: STAKE, massMilli: 1 })).amount).toBe(STAKE);
    await payEverything(context, lobby);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is refunded whole to everyone alive when the process dies during a match', async () => {
    const players = [
      await newPaidPlayer(server, lobby),
      await newPaidPlayer(server, lobby),
      await newPaidPlayer(server, lobby),
    ] as const;
    const lanes = createMoneyLanes(context, async () => true);
    lanes.recordBountyMoves(lobby.id, [
      { from: players[0].entryId, to: players[1].entryId, amount: 7_000_000n },
    ]);
    await lanes.drain();
    const before = await Promise.all(players.map(({ wallet }) => lamportsOf(context, wallet)));
    await context.db.insert(gameProcesses).values({ id: context.processId, version: 'test' });
    expect(await recoverEntries(server.afterRestart())).toBe(0);
    await context.db.delete(gameProcesses);
    expect(await recoverEntries(server.afterRestart())).toBe(3);
    expect(await recoverEntries(server.afterRestart())).toBe(0);
    await payEverything(context, lobby);
    const after = await Promise.all(players.map(({ wallet }) => lamportsOf(context, wallet)));
    expect(after.map((lamports, index) => lamports - before[index]!)).toEqual([
      STAKE - 7_000_000n,
      STAKE + 7_000_000n,
      STAKE,
    ]);
    expect(await newestEntry(context, players[0].user)).toMatchObject({ state: 'ended', outcome: 'fault' });
    await expectBooksToMatchTheChain(context, lobby);
  });
});
