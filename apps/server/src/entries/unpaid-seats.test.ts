import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { startPaidServer } from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  createUser,
  expireAll,
  newestEntry,
  newPlayer,
  pay,
  payoutsOf,
  verifyAll,
} from '../../testing/players.ts';
import { lobbies } from '../platform/database/games.ts';
import type { UserRow } from '../platform/database/people.ts';
import { joinLobby } from './join-lobby.ts';
import { reportPaymentFailure } from './payment-status.ts';

const { server, context, lobby } = await startPaidServer();

const newUser = async () => createUser(context, await server.newWallet({}));
const setSeats = (maxPlayers: number) =>
  context.db.update(lobbies).set({ maxPlayers }).where(eq(lobbies.id, lobby.id));

/** As the page of a client at that address would ask. */
async function askFrom(address: string, user: UserRow, limitScale = 1) {
  await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
  const client = { address, limitScale };
  return joinLobby(context, user, { lobbyId: lobby.id, lobbyCode: undefined, client });
}

async function letTimePass(ms: number): Promise<void> {
  server.advance(ms);
  await expireAll(context);
}

describe('unpaid seats', () => {
  beforeEach(() => server.stopClock());

  test('of ten wallets behind one address keep nobody else out', async () => {
    await setSeats(10);
    const attackers = await Promise.all(Array.from({ length: 10 }, newUser));
    let [asked, refused, mostHeld] = [0, 0, 0];
    for (let second = 0; second < 400; second += 10) {
      const answers = await Promise.all(attackers.map((user) => askFrom('203.0.113.1', user)));
      mostHeld = Math.max(mostHeld, answers.filter(({ ok }) => ok).length);
      if (second % 20 === 0) {
        const honest = await newUser();
        const answer = await askFrom(`198.51.100.${asked}`, honest);
        asked++;
        if (!answer.ok) refused++;
        await reportPaymentFailure(context, honest, lobby.id);
      }
      await letTimePass(10_000);
    }
    expect(mostHeld).toBe(4);
    expect(refused).toBe(0);
    await letTimePass(3_700_000);
  });

  test('in a small lobby are one for each address', async () => {
    await setSeats(2);
    const [first, second, elsewhere] = [await newUser(), await newUser(), await newUser()];
    expect(await askFrom('203.0.113.2', first)).toMatchObject({ ok: true });
    expect(await askFrom('203.0.113.2', second)).toMatchObject({ error: { code: 'UNPAID_SEATS_LIMIT' } });
    expect(await askFrom('203.0.113.3', elsewhere)).toMatchObject({ ok: true });
    await letTimePass(3_700_000);
  });

  test('of one wallet make it wait, twice as long each time, and are forgotten after an hour', async () => {
    const user = await newUser();
    const leaveUnpaid = async () => {
      expect(await ask(context, user, lobby)).toMatchObject({ ok: true });
      await letTimePass(120_001);
    };
    await leaveUnpaid();
    await leaveUnpaid();
    for (const seconds of [15, 30, 60, 120]) {
      const error = { code: 'UNPAID_SEATS_LIMIT', context: { secondsLeft: seconds } };
      expect(await ask(context, user, lobby)).toMatchObject({ ok: false, error });
      await letTimePass(seconds * 1_000);
      await leaveUnpaid();
    }
    await letTimePass(3_700_000);
    expect(await ask(context, user, lobby)).toMatchObject({ ok: true });
    await letTimePass(3_700_000);
  });

  test('with a made-up signature or none keep newcomers out for a minute and a half at most', async () => {
    await setSeats(1);
    const [liar, next] = [await newUser(), await newUser()];
    await ask(context, liar, lobby);
    expect(await confirm(context, liar, lobby, 'True')).toMatchObject({ ok: true });
    server.advance(89_000);
    expect(await ask(context, next, lobby)).toMatchObject({ error: { code: 'LOBBY_FULL' } });
    server.advance(2_000);
    expect(await ask(context, next, lobby)).toMatchObject({ ok: true });
    await letTimePass(3_700_000);
  });
});

describe('a seat that several hold', () => {
  test('goes to the one whose payment arrives first, and the other is refunded', async () => {
    await setSeats(1);
    const [slow, quick] = [await newPlayer(server), await newPlayer(server)];
    expect(await ask(context, slow.user, lobby)).toMatchObject({ ok: true });
    server.advance(46_000);
    expect(await ask(context, quick.user, lobby)).toMatchObject({ ok: true });
    for (const { user, wallet } of [quick, slow]) {
      const signature = await pay(context, wallet, lobby);
      expect(await confirm(context, user, lobby, signature)).toMatchObject({ ok: true });
      await verifyAll(context);
    }
    expect(await newestEntry(context, quick.user)).toMatchObject({ state: 'ticketSent' });
    expect(await newestEntry(context, slow.user)).toMatchObject({ state: 'expired' });
    expect(await payoutsOf(context, quick.wallet)).toEqual([]);
    expect(await payoutsOf(context, slow.wallet)).toMatchObject([{ isRefund: true, amount: 47_500_000n }]);
    expect((await auditLedger(context.db)).faults).toEqual([]);
  });

  test('is not counted against a wallet that paid and came too late', async () => {
    const late = await newPlayer(server);
    await setSeats(2);
    for (let time = 0; time < 3; time++) {
      await setSeats(2);
      expect(await ask(context, late.user, lobby)).toMatchObject({ ok: true });
      await setSeats(1);
      await confirm(context, late.user, lobby, await pay(context, late.wallet, lobby));
      await verifyAll(context);
      expect(await newestEntry(context, late.user)).toMatchObject({ state: 'expired' });
    }
  });
});
