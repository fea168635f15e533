import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { recogniseSecret } from '@engulf/sim/keys';
import { createWriter, writeVar, writtenBytes } from '@engulf/sim/recording/bytes';
import { standardRules } from '@engulf/sim/rules';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { withWriteFailures } from '../../testing/game-host/ledger-lobby.ts';
import { ask, confirm, createUser, newestEntry, pay, payoutsOf, verifyAll } from '../../testing/players.ts';
import { soon } from '../../testing/soon.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { readPaymentStatus } from '../entries/payment-status.ts';
import { recoverEntries } from '../entries/recover-entries.ts';
import { rejoinMatch } from '../entries/rejoin-match.ts';
import type { GameLobby, MatchOrigin } from '../game/ports.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { readParts } from '../matches/recording-parts.ts';
import { recoverMatches } from '../matches/recover-matches.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { entries, gameProcesses, matchEpochs, matches, matchMoves } from '../platform/database/games.ts';
import { createGamePorts } from './ports.ts';

const STAKE = 47_500_000n;
let server: TestServer;
let lobby: LobbyRow;
let old: Process;
let next: Process;

type Process = ReturnType<typeof createGamePorts> & { readonly context: Context };

beforeAll(async () => {
  server = await startTestServer();
  lobby = await server.lobby('Shallows');
});
beforeEach(async () => {
  await server.context.db.delete(gameProcesses);
  [old, next] = [await newProcess(), await newProcess()];
});
afterAll(() => server.dispose());

async function newProcess(): Promise<Process> {
  const context = server.afterRestart();
  await context.db.insert(gameProcesses).values({ id: context.processId, version: 'one' });
  return { ...createGamePorts(context), context };
}

/** What players sign their inputs with. */
const INPUTS_KEY = 'ab'.repeat(32);

async function buyTicket(context: Context) {
  const wallet = await server.newWallet();
  const user = await createUser(context, wallet);
  await ask(context, user, lobby);
  await confirm(context, user, lobby, await pay(context, wallet, lobby, INPUTS_KEY));
  await verifyAll(context);
  const { paymentSessionId } = await newestEntry(context, user);
  const status = await readPaymentStatus(context, user, paymentSessionId);
  if (!status.ok || status.value.status !== 'ticketSent') throw new Error(JSON.stringify(status));
  return { wallet, user, ticket: status.value.joinTicket };
}

/** A match of the old process with a player in it. */
async function openMatch() {
  const { context, ports } = old;
  const gameLobby = (await ports.listLobbies()).find(({ id }) => id === lobby.id) as GameLobby;
  await vi.waitFor(async () => expect(await ports.takeLease(lobby.id)).toBe(true), 10_000);
  const origin = await vi.waitFor(async () => {
    const prepared = await ports.prepareMatch(gameLobby, standardRules);
    expect(prepared).toBeDefined();
    return prepared as MatchOrigin;
  }, 20_000);
  ports.recordPart(origin.id, 'header', new Uint8Array([1]));
  const { wallet, user, ticket } = await buyTicket(context);
  const seat = await ports.redeemTicket(ticket, lobby.id);
  if (!seat.ok) throw new Error(seat.error.code);
  const { entryId, inputsKey } = seat.value;
  expect(inputsKey).toBe(INPUTS_KEY);
  const leaving = (entryIds: EntryId[]) => ({
    id: origin.id,
    lobbyId: lobby.id,
    entryIds,
    state: new Uint8Array([7, 8, 9]),
  });
  return { origin, wallet, user, entryId, leaving };
}

const EPOCH_TICKS = 15_000;

/** Only where it begins and how long it is. */
function segmentOf(startTick: number, tickCount: number): Uint8Array {
  const writer = createWriter();
  writeVar(writer, startTick);
  writeVar(writer, tickCount);
  return writtenBytes(writer);
}

const outcome = { kind: 'cashout', amount: STAKE, massMilli: 40_000 } as const;

test('a match changes hands whole: lease, entries, key and recording; the old process has no say in it', async () => {
  const { origin, wallet, entryId, leaving } = await openMatch();
  await old.ports.recordPart(origin.id, 'segment', segmentOf(0, EPOCH_TICKS));
  expect(await old.ports.startLeaving()).toBe(true);
  expect(await next.ports.takeOver()).toEqual({ matches: [], isNearby: true });
  const move = await old.ports.handOver(leaving([entryId]));
  const { matches: arrived } = await next.ports.takeOver();
  expect(arrived).toMatchObject([
    {
      lobby: { id: lobby.id },
      seats: [{ entryId, isReturn: true, stake: STAKE, inputsKey: INPUTS_KEY }],
      origin: { id: origin.id },
    },
  ]);
  expect(Buffer.from(arrived[0]!.origin.secret)).toEqual(Buffer.from(origin.secret));
  expect(Buffer.from(arrived[0]!.state)).toEqual(Buffer.from([7, 8, 9]));
  expect((await next.ports.takeOver()).matches).toEqual([]);

  if (!move || move === 'unknown') throw new Error('nobody is told where it went');
  const ticket = move.tickets.get(entryId)!;
  expect(await old.ports.redeemTicket(ticket, lobby.id)).toMatchObject({ ok: false });
  expect(await next.ports.redeemTicket(ticket, lobby.id)).toMatchObject({
    ok: true,
    value: { entryId, isReturn: true, inputsKey: INPUTS_KEY },
  });
  expect(await next.ports.redeemTicket(ticket, lobby.id)).toMatchObject({ ok: false });

  await expect(old.ports.settleEntry(lobby.id, entryId, { ...outcome, kind: 'killed' })).rejects.toThrow();
  const ending = { id: origin.id, lobbyId: lobby.id, finalTick: 1, spill: 0n };
  await expect(old.ports.closeMatch(ending)).rejects.toThrow('no longer ours');
  const [running] = await next.context.db.select().from(matches).where(eq(matches.id, origin.id));
  expect(running).toMatchObject({ secret: null, endedAt: null });
  expect(await old.ports.takeLease(lobby.id)).toBe(false);
  await old.context.db.delete(gameProcesses).where(eq(gameProcesses.id, old.context.processId));
  expect(await recoverEntries(server.afterRestart())).toBe(0);
  expect(await next.ports.settleEntry(lobby.id, entryId, outcome)).toMatchObject({
    amount: STAKE,
    isNew: true,
  });
  expect(await payoutsOf(next.context, wallet)).toMatchObject([{ amount: STAKE }]);
  await next.ports.recordPart(origin.id, 'segment', segmentOf(EPOCH_TICKS, EPOCH_TICKS));
  // Both processes note the ends of epochs, with secrets of one chain.
  const noted = await next.context.db.select().from(matchEpochs).where(eq(matchEpochs.matchId, origin.id));
  expect(noted.map(({ epoch, tick, partCount }) => [epoch, tick, partCount])).toEqual([
    [0, EPOCH_TICKS, 2],
    [1, 2 * EPOCH_TICKS, 3],
  ]);
  for (const { epoch, secret } of noted)
    expect(recogniseSecret(Buffer.from(secret, 'hex'), origin.commitment)?.epoch).toBe(epoch);
  await next.ports.closeMatch(ending);
  const [row] = await next.context.db.select().from(matches).where(eq(matches.id, origin.id));
  expect(row).toMatchObject({ partCount: 4, isCut: false });
  expect((await auditLedger(next.context.db)).faults).toEqual([]);
});

test.each(['says', 'does not say'] as const)(
  'the recording goes on where it was, if the old process %s how far it is',
  async (saying) => {
    const { origin, entryId, leaving } = await openMatch();
    for (const byte of [2, 3, 4]) old.ports.recordPart(origin.id, 'segment', new Uint8Array([byte]));
    expect(await old.ports.handOver(leaving([entryId]))).toBeDefined();
    if (saying === 'does not say') await next.context.db.update(matchMoves).set({ recording: null });
    const get = vi.spyOn(next.context.storage, 'get');
    expect((await next.ports.takeOver()).matches).toHaveLength(1);
    expect(get).toHaveBeenCalledTimes(saying === 'says' ? 0 : 5);
    get.mockRestore();
    await next.ports.settleEntry(lobby.id, entryId, outcome);
    await next.ports.closeMatch({ id: origin.id, lobbyId: lobby.id, finalTick: 1, spill: 0n });
    expect(await readParts(next.context, origin.id)).toMatchObject({
      partCount: 5,
      isDamaged: false,
      end: { isCut: false },
    });
  },
);

test('a match whose handing over was answered by a broken connection is not played on here', async () => {
  const { context, failures } = withWriteFailures(old.context);
  const ports = createGamePorts(context);
  old = { ...ports, context };
  const { entryId, leaving } = await openMatch();
  failures.push('lostAfterCommit');
  expect(await old.ports.handOver(leaving([entryId]))).toBe('unknown');
  expect((await next.ports.takeOver()).matches).toHaveLength(1);
  expect(await next.ports.settleEntry(lobby.id, entryId, outcome)).toMatchObject({ isNew: true });
});

test('a lobby that was given with its match gets no second one before that is taken over', async () => {
  const { origin, entryId, leaving } = await openMatch();
  await old.ports.startLeaving();
  // The keeper of the other process looks for matches first and opens lobbies then; the move comes in between.
  expect((await next.ports.takeOver()).matches).toEqual([]);
  expect(await old.ports.handOver(leaving([entryId]))).toBeDefined();
  await vi.waitFor(async () => expect(await next.ports.takeLease(lobby.id)).toBe(false));
  expect((await next.ports.takeOver()).matches).toMatchObject([{ origin: { id: origin.id } }]);
  expect(await next.ports.takeLease(lobby.id)).toBe(true);
  expect(await next.ports.settleEntry(lobby.id, entryId, outcome)).toMatchObject({ isNew: true });
});

test('a return ticket that is out when a match moves is as good as the new one', async () => {
  const { user, entryId, leaving } = await openMatch();
  const rejoined = await rejoinMatch(old.context, user);
  if (!rejoined.ok) throw new Error(rejoined.error.code);
  expect(await old.ports.handOver(leaving([entryId]))).toBeDefined();
  await next.ports.takeOver();
  expect(await next.ports.redeemTicket(rejoined.value.joinTicket, lobby.id)).toMatchObject({ ok: true });
  await next.ports.settleEntry(lobby.id, entryId, outcome);
});

test('a seat whose answer was lost is there for who returns, in that match only, and refunded with the lease', async () => {
  const { context, failures } = withWriteFailures(old.context);
  old = { ...createGamePorts(context), context };
  const { origin, entryId } = await openMatch();
  await old.ports.settleEntry(lobby.id, entryId, outcome);
  const { user, wallet, ticket } = await buyTicket(context);
  failures.push('lostAfterCommit');
  await expect(old.ports.redeemTicket(ticket, lobby.id)).rejects.toThrow();
  const rejoined = await rejoinMatch(context, user);
  if (!rejoined.ok) throw new Error(rejoined.error.code);
  expect(await old.ports.redeemTicket(rejoined.value.joinTicket, lobby.id)).toMatchObject({
    ok: true,
    value: { isReturn: true, stake: STAKE },
  });

  const again = await rejoinMatch(context, user);
  if (!again.ok) throw new Error(again.error.code);
  await old.ports.closeMatch({ id: origin.id, lobbyId: lobby.id, finalTick: 1, spill: 0n });
  await context.db.update(entries).set({ matchId: null }).where(eq(entries.userId, user.id));
  expect(await old.ports.redeemTicket(again.value.joinTicket, lobby.id)).toMatchObject({
    error: { code: 'JOIN_TICKET_INVALID' },
  });
  expect(await recoverEntries(context)).toBe(0);
  await old.ports.releaseLease(lobby.id);
  expect(await recoverEntries(context)).toBe(1);
  expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE }]);
});

test('a match whose end could not be written is ended by others once its lobby is released', async () => {
  const { context, failures } = withWriteFailures(old.context);
  const clock = { ...systemClock, setTimer: (_ms: number, run: () => void) => systemClock.setTimer(0, run) };
  old = { ...createGamePorts(context, { clock }), context };
  const { origin, entryId } = await openMatch();
  await old.ports.settleEntry(lobby.id, entryId, outcome);
  failures.push(...Array(20).fill('noConnection'));
  const ending = { id: origin.id, lobbyId: lobby.id, finalTick: 1, spill: 0n };
  await old.ports.closeMatch(ending);
  // It goes on trying, as often as this fails, and then leaves the match to others.
  await soon(() => expect(failures).toEqual([]));
  await recoverMatches(context);
  const readMatch = async () =>
    (await context.db.select().from(matches).where(eq(matches.id, origin.id)))[0]!;
  expect(await readMatch()).toMatchObject({ endedAt: null, secret: null });
  await old.ports.releaseLease(lobby.id);
  await soon(async () => {
    await recoverMatches(context);
    expect(await readMatch()).toMatchObject({ isCut: false, finalTick: 1, secret: expect.any(String) });
  });
});

test('a process can neither end nor give away a match of another, and so not publish its secret', async () => {
  const { origin, entryId } = await openMatch();
  const own = await server.lobby('The Deep');
  await vi.waitFor(async () => expect(await next.ports.takeLease(own.id)).toBe(true), 10_000);
  const foreign = { id: origin.id, lobbyId: own.id };
  await expect(next.ports.closeMatch({ ...foreign, finalTick: 1, spill: 0n })).rejects.toThrow(
    'no longer ours',
  );
  await next.ports.abandonMatch(origin.id, own.id);
  const [running] = await old.context.db.select().from(matches).where(eq(matches.id, origin.id));
  expect(running).toMatchObject({ secret: null, endedAt: null, heldBy: old.context.processId });
  expect(await old.ports.settleEntry(lobby.id, entryId, outcome)).toMatchObject({ isNew: true });
});

test('a room that does not know all its entries keeps its match', async () => {
  const { entryId, leaving } = await openMatch();
  await expect(old.ports.handOver(leaving([]))).rejects.toThrow('has 1 entries, its room 0');
  expect((await next.ports.takeOver()).matches).toEqual([]);
  expect(await old.ports.settleEntry(lobby.id, entryId, outcome)).toMatchObject({ isNew: true });
});

test('a process that is alone, or whose peers run another version or leave too, keeps its match', async () => {
  const { entryId, leaving } = await openMatch();
  await next.context.db
    .update(gameProcesses)
    .set({ version: 'two' })
    .where(eq(gameProcesses.id, next.context.processId));
  expect(await old.ports.handOver(leaving([entryId]))).toBeUndefined();
  await next.ports.startLeaving();
  expect(await old.ports.startLeaving()).toBe(false);
  expect(await old.ports.handOver(leaving([entryId]))).toBeUndefined();
  expect(await old.ports.settleEntry(lobby.id, entryId, outcome)).toMatchObject({ isNew: true });
});

test('a process that was declared dead hands nothing over and does not play on', async () => {
  const { entryId, leaving } = await openMatch();
  await old.context.db.delete(gameProcesses).where(eq(gameProcesses.id, old.context.processId));
  expect(await old.ports.startLeaving()).toBe(false);
  expect(await old.ports.handOver(leaving([entryId]))).toBeUndefined();
  expect((await next.ports.takeOver()).matches).toEqual([]);
  expect(await recoverEntries(next.context)).toBe(1);
});

test('a successor that dies, or gives the match up, leaves refunds behind', async () => {
  for (const fails of ['dies', 'gives up'] as const) {
    const { origin, wallet, entryId, leaving } = await openMatch();
    expect(await old.ports.handOver(leaving([entryId]))).toBeDefined();
    if (fails === 'gives up') {
      await next.ports.takeOver();
      await next.ports.abandonMatch(origin.id, lobby.id);
    } else {
      await old.context.db.delete(gameProcesses).where(eq(gameProcesses.id, next.context.processId));
    }
    expect(await recoverEntries(old.context)).toBe(1);
    await recoverMatches(old.context);
    expect(await payoutsOf(old.context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
    const [row] = await old.context.db.select().from(matches).where(eq(matches.id, origin.id));
    expect(row!.endedAt).not.toBeNull();
    expect(await old.context.db.select({ id: matchMoves.matchId }).from(matchMoves)).toEqual([]);
    await server.context.db.delete(gameProcesses);
    [old, next] = [await newProcess(), await newProcess()];
  }
  expect((await auditLedger(old.context.db)).faults).toEqual([]);
});
