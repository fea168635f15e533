import { randomUUID } from 'node:crypto';
import { entryId, type LobbyId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMenuServer } from '../../testing/menu-server.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { soon } from '../../testing/soon.ts';
import { advance, lockEntry, openEntry } from '../entries/entry-states.ts';
import type { UserRow } from '../platform/database/people.ts';

let menu: Awaited<ReturnType<typeof startMenuServer>>;
let lobby: LobbyId;

beforeAll(async () => {
  menu = await startMenuServer();
  lobby = (await newPaidLobby(menu.db)).id;
});
afterAll(() => menu.dispose());

async function newSeat(user: UserRow) {
  const entry = await openEntry(menu.db, {
    id: entryId(randomUUID()),
    userId: user.id,
    lobbyId: lobby,
    state: 'created',
    paymentSessionId: paymentSessionId(randomUUID()),
    entryFee: 100n,
    stake: 0n,
    addressHash: null,
    traitsHash: null,
    createdAt: new Date(),
    stateExpiresAt: new Date(Date.now() + 60_000),
  });
  const decide = async (to: 'ticketSent' | 'payment_failed') =>
    menu.db.transaction(async (tx) => {
      const locked = await lockEntry(tx, entry.id);
      await advance(tx, locked!, to, to === 'ticketSent' ? { stateExpiresAt: null } : {});
    });
  return { paymentSessionId: entry.paymentSessionId, decide };
}

async function openWindow(user: UserRow, address: string) {
  const received: unknown[] = [];
  await menu.open({
    user,
    address,
    prepare: (socket) =>
      socket.on('payment:update', (payload) =>
        received.push(MENU_SERVER_EVENTS['payment:update'].parse(payload)),
      ),
  });
  return received;
}

test.each(['ticketSent', 'payment_failed'] as const)(
  'a payment that becomes %s is told to all windows of its player, once, and to nobody else',
  async (to) => {
    const [payer, other] = [await newUser(menu.db), await newUser(menu.db)];
    const windows = [
      await openWindow(payer, `203.0.113.${to.length}`),
      await openWindow(payer, `203.0.113.${to.length}`),
      await openWindow(other, '203.0.113.77'),
    ] as const;
    const { paymentSessionId, decide } = await newSeat(payer);
    const { $client: client } = menu.db as unknown as { $client: { query(): unknown } };
    const reads = vi.spyOn(client, 'query');
    // The seat is seen by a look that began after it was there.
    await soon(() => expect(JSON.stringify(reads.mock.calls)).toContain('payment_session_id'));
    expect(windows).toEqual([[], [], []]);
    await decide(to);
    await soon(() => expect(windows[1]).toEqual([{ paymentSessionId }]));
    await soon(() => expect(windows[0]).toEqual([{ paymentSessionId }]));
    expect(windows[2]).toEqual([]);
    reads.mockRestore();
  },
);
