import { randomUUID } from 'node:crypto';
import { matchId } from '@engulf/domain/ids/entity-ids';
import type { PlayerId } from '@engulf/sim/players';
import { applyRecorded, startRecordedMatch } from '@engulf/sim/recording';
import { standardRules } from '@engulf/sim/rules';
import { hashWorld } from '@engulf/sim/snapshot';
import { step } from '@engulf/sim/step';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../accounts/sessions.ts';
import type { GamePorts } from '../game/ports.ts';
import { auditLedger } from '../money/ledger/audit.ts';
import { matches } from '../platform/database/games.ts';
import { ask, createUser, newestEntry } from '../testing/players.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createGamePorts } from './ports.ts';

let server: TestServer;
let ports: GamePorts;

beforeAll(async () => {
  server = await startTestServer();
  ports = createGamePorts(server.context).ports;
});
afterAll(() => server.dispose());

const newUser = async () => createUser(server.context, await server.newWallet({}));

describe('what the rooms get', () => {
  test('are the lobbies, with bots only where nothing is at stake', async () => {
    const lobbies = await ports.listLobbies();
    expect(lobbies).toHaveLength(7);
    for (const lobby of lobbies) expect(lobby.botCount > 0).toBe(lobby.isFree);
    expect(lobbies.find(({ name }) => name === 'Shallows')).toMatchObject({
      token: { symbol: 'SOL', decimals: 9 },
      entryFee: 50_000_000n,
      multiplierBasis: 50_000_000n,
    });
    expect(lobbies.find(({ name }) => name === 'Primordial')).toMatchObject({ multiplierBasis: 5_000_000n });
  });

  test('is who somebody is, from the cookie among other cookies', async () => {
    const user = await newUser();
    const token = await openSession(server.context, server.context.db, user.id);
    expect(await ports.identify(`a=b; engulf_session=${token}; c=d`)).toEqual({
      userId: user.id,
      name: user.name,
    });
    expect(await ports.identify('engulf_session=guess')).toBeUndefined();
    expect(await ports.identify(undefined)).toBeUndefined();
    server.advance(8 * 24 * 60 * 60 * 1000);
    expect(await ports.identify(`engulf_session=${token}`)).toBeUndefined();
  });

  test('is a seat in a free lobby whose money never reaches the books', async () => {
    const lobby = await server.lobby('Petri Dish');
    const user = await newUser();
    const answer = await ask(server.context, user, lobby);
    if (!answer.ok || answer.value.status !== 'ticketSent') throw new Error(JSON.stringify(answer));
    const seat = await ports.redeemTicket(answer.value.joinTicket, lobby.id);
    if (!seat.ok) throw new Error(seat.error.code);
    const { entryId } = seat.value;
    ports.recordBountyMoves(lobby.id, [{ from: 'spill', to: entryId, amount: 5n }]);
    const outcome = { kind: 'cashout', amount: 3_000_000n, massMilli: 55_000 } as const;
    expect(await ports.settleEntry(entryId, outcome)).toEqual({ amount: 3_000_000n, isNew: true });
    expect(await ports.settleEntry(entryId, outcome)).toEqual({ amount: 3_000_000n, isNew: false });
    expect(await newestEntry(server.context, user)).toMatchObject({ state: 'ended', finalMassMilli: 55_000 });
    expect(await auditLedger(server.context.db)).toEqual({ lobbies: [], faults: [] });
  });

  test('is a place for a match, which can be saved again as it grows', async () => {
    const lobby = await server.lobby('Shallows');
    const match = startRecordedMatch(7, standardRules, 12n);
    applyRecorded(match, { type: 'join', stake: 47_500_000n });
    step(match.world);
    const saved = {
      id: matchId(randomUUID()),
      lobbyId: lobby.id,
      startedAt: new Date(0),
      endedAt: new Date(1_000),
      finalTick: 1,
      worldHash: hashWorld(match.world),
      recording: match.recording,
      players: [],
    };
    await ports.saveMatch(saved);
    await ports.saveMatch({ ...saved, finalTick: 2 });
    const rows = await server.context.db.select().from(matches).where(eq(matches.id, saved.id));
    expect(rows).toMatchObject([{ finalTick: 2, worldHash: saved.worldHash }]);
    const read: unknown = JSON.parse(rows[0]!.recording, (_, value) =>
      typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    );
    expect(read).toEqual(match.recording);
  });

  test('is a place for a long match too, which does not hold up the others while it is saved', async () => {
    const lobby = await server.lobby('Shallows');
    const match = startRecordedMatch(7, standardRules, 0n);
    const { player } = applyRecorded(match, { type: 'join', stake: 5n }) as { player: PlayerId };
    for (let x = 1; x <= 10_000; x++) applyRecorded(match, { type: 'steer', player, x, y: 0 });
    const id = matchId(randomUUID());
    const date = new Date(0);
    const { recording } = match;
    let commandsRead = 0;
    const commandsReadAtTurn: number[] = [];
    const commands = recording.commands.map((command) => ({
      ...command,
      toJSON: () => {
        commandsRead++;
        return command;
      },
    }));
    const timer = setInterval(() => commandsReadAtTurn.push(commandsRead), 1);
    await ports.saveMatch({
      id,
      lobbyId: lobby.id,
      startedAt: date,
      endedAt: date,
      finalTick: 0,
      worldHash: '',
      recording: { ...recording, commands },
      players: [],
    });
    clearInterval(timer);
    expect(commandsReadAtTurn.some((count) => count > 0 && count < commands.length)).toBe(true);
    const [row] = await server.context.db.select().from(matches).where(eq(matches.id, id));
    expect((JSON.parse(row!.recording) as { commands: unknown[] }).commands).toHaveLength(10_001);
  });
});
