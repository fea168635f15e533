import { matchId } from '@engulf/domain/ids/entity-ids';
import { baseUnits } from '@engulf/domain/money/amount';
import { numberedKey } from '@engulf/sim/keys';
import { NO_BOND } from '@engulf/sim/recording/header';
import { readSegment } from '@engulf/sim/recording/segment';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDeps, QUICK_RULES } from '../../../testing/game/arena-server.ts';
import { issueTicket, type MemoryPorts } from '../../../testing/game/memory-ports.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import type { Connection } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';
import type { GameLobby } from '../ports.ts';
import { endMatch } from './ending.ts';
import { type Match, startMatch } from './match.ts';
import { steer } from './player-input.ts';
import { allResultsSettled } from './results.ts';
import { entriesOf, hasPlayed, type Participant } from './roster.ts';
import { attach, detach, spawn, takeSeat } from './seats.ts';
import { stepMatch } from './step.ts';

const STAKE = 50_000_000n;
const screen = { name: '', screenWidth: 1920, screenHeight: 1080 };
let ports: MemoryPorts;
let lobby: GameLobby;
let match: Match;

beforeEach(() => {
  lobby = paidLobby();
  const deps = createTestDeps([lobby]);
  ports = deps.ports;
  const origin = {
    id: matchId('match'),
    commitment: numberedKey(1),
    publicPart: null,
    bond: NO_BOND,
    secret: numberedKey(2),
  };
  match = startMatch(deps, { lobby, origin, spill: 0n }, () => {});
});

function fakeConnection(): Connection & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    address: '',
    sent,
    send: (type) => void sent.push(type),
    sendState: () => {},
    canTakeState: () => true,
    kick: () => void sent.push('kick'),
    expel: () => void sent.push('expel'),
    close: async () => void sent.push('close'),
    refuse: () => void sent.push('error'),
    isText: false,
  };
}

async function sit(
  connection = fakeConnection(),
): Promise<{ participant: Participant; connection: Connection }> {
  const { ticket } = issueTicket(ports, lobby);
  const redeemed = await ports.redeemTicket(ticket, lobby.id);
  if (!redeemed.ok) throw new Error('no seat');
  const taken = takeSeat(match, redeemed.value);
  if (!taken.ok) throw new Error(taken.error.code);
  attach(match, taken.value, connection, 'token');
  return { participant: taken.value, connection };
}

function run(seconds: number): void {
  for (let i = 0; i < seconds * QUICK_RULES.stepsPerSecond; i++) stepMatch(match, 0);
}

describe('a match', () => {
  test('refunds the whole stake of a player who does not spawn in time', async () => {
    const { participant } = await sit();
    run(ROOM_LIMITS.spawnWithinSeconds - 1);
    expect(participant.state).toBe('waiting');
    run(2);
    await allResultsSettled(match.results);
    expect(ports.settled.get(participant.seat.entryId)).toEqual({
      kind: 'forfeit',
      amount: STAKE,
      massMilli: 0,
    });
    expect(ports.faults).toEqual([]);
  });

  test('ends when everyone has left', async () => {
    const { participant, connection } = await sit();
    spawn(match, participant, screen);
    run(10);
    expect(match.ending.settled).toBeUndefined();
    detach(match, participant, connection);
    run(ROOM_LIMITS.idleMatchSeconds + 5);
    await match.ending.settled;
    expect(ports.matches).toHaveLength(1);
    expect(ports.settled.get(participant.seat.entryId)).toMatchObject({ kind: 'forfeit' });
  });

  test('forgets who has finished and gone after a while, but not that they have played', async () => {
    const [first, second] = [await sit(), await sit()];
    spawn(match, second.participant, screen);
    run(ROOM_LIMITS.spawnWithinSeconds + 1);
    await allResultsSettled(match.results);
    run(ROOM_LIMITS.finishedKnownSeconds + 2);
    const { entryId, userId } = first.participant.seat;
    expect(match.roster.byEntry.has(entryId)).toBe(true);
    detach(match, first.participant, first.connection);
    run(ROOM_LIMITS.finishedKnownSeconds - 1);
    expect(match.roster.byEntry.has(entryId)).toBe(true);
    run(2);
    expect([...match.roster.byEntry.values()]).toEqual([second.participant]);
    expect(entriesOf(match.roster, userId)).toEqual([]);
    expect(hasPlayed(match.roster, userId)).toBe(true);
    expect(ports.faults).toEqual([]);
  });

  test('ends when everyone has left, though all of them are forgotten', async () => {
    const { participant, connection } = await sit();
    run(ROOM_LIMITS.spawnWithinSeconds + 1);
    await allResultsSettled(match.results);
    detach(match, participant, connection);
    run(ROOM_LIMITS.finishedKnownSeconds + 2);
    expect(match.roster.byEntry.size).toBe(0);
    run(ROOM_LIMITS.idleMatchSeconds);
    expect(match.ending.settled).toBeDefined();
  });

  test('runs on while nobody has ever joined', () => {
    run(ROOM_LIMITS.idleMatchSeconds + 5);
    expect(match.ending.settled).toBeUndefined();
  });

  test('closes when it reaches the time limit', () => {
    match.world.clock.tick = ROOM_LIMITS.maxMatchSeconds * QUICK_RULES.stepsPerSecond;
    run(2);
    expect(match.ending.isAnnounced).toBe(true);
    run(ROOM_LIMITS.closingNoticeSeconds);
    expect(match.ending.settled).toBeDefined();
  });

  test('records only the newest pointer before a step, as the arena rounds it, and only when it changes', async () => {
    const { participant } = await sit();
    spawn(match, participant, screen);
    const point = (x: number, y: number) => steer(match.recorded, participant.player!, { x, y });
    point(10, 10);
    point(92.4, -20);
    run(1);
    point(3, 3);
    point(91.6, -20.3);
    run(1);
    point(-0.4, 0.4);
    run(1);
    const { count, after, x, y } = match.recorded.open.tracks.get(participant.player!)!;
    const recorded = [after, x, y].map((column) => [...column.subarray(0, count)]);
    expect(recorded).toEqual([
      [0, 50],
      [92, 0],
      [-20, 0],
    ]);
  });

  test('settles every entry even if the recording cannot be closed', async () => {
    const { participant } = await sit();
    spawn(match, participant, screen);
    run(1);
    ports.closeMatch = () => Promise.reject(new Error('the disk is full'));
    endMatch(match, 'closed');
    await expect(match.ending.settled).resolves.toBeUndefined();
    expect(ports.settled.get(participant.seat.entryId)).toMatchObject({ kind: 'closed', amount: STAKE });
    expect(ports.faults).toEqual([]);
  });

  test('returns every bounty when the arena throws', async () => {
    const connection = fakeConnection();
    const { participant } = await sit(connection);
    spawn(match, participant, screen);
    const { participant: waiting } = await sit();
    run(1);
    Object.defineProperty(match.world.food, 'changeCount', {
      set: () => {
        throw new Error('a bug');
      },
    });
    stepMatch(match, 0);
    await match.ending.settled;
    expect(ports.settled.get(participant.seat.entryId)).toMatchObject({ kind: 'fault', amount: STAKE });
    expect(ports.settled.get(waiting.seat.entryId)).toMatchObject({ kind: 'closed', amount: STAKE });
    expect(connection.sent).toContain('gameOver');
    expect(ports.faults).toEqual([]);
  });

  test('continues for the others when one view throws', async () => {
    const broken = fakeConnection();
    broken.sendState = () => {
      throw new Error('a bug');
    };
    const [one, two] = [await sit(broken), await sit()];
    spawn(match, one.participant, screen);
    spawn(match, two.participant, screen);
    run(1);
    expect(broken.sent).toContain('kick');
    expect(match.ending.settled).toBeUndefined();
    expect(match.world.players.livingCount).toBe(2);
  });

  test('kicks a player whose result is refused, and settles the others', async () => {
    const connection = fakeConnection();
    const [refused, other] = [await sit(connection), await sit()];
    spawn(match, refused.participant, screen);
    spawn(match, other.participant, screen);
    run(1);
    const { settleEntry } = ports;
    ports.settleEntry = (lobbyId, entryId, outcome) =>
      entryId === refused.participant.seat.entryId
        ? Promise.reject(new Error('There is no such entry'))
        : settleEntry(lobbyId, entryId, outcome);
    endMatch(match, 'closed');
    await match.ending.settled;
    expect(connection.sent).toContain('kick');
    expect(connection.sent).not.toContain('gameOver');
    expect(ports.settled.has(other.participant.seat.entryId)).toBe(true);
    expect(ports.matches).toHaveLength(1);
  });

  test('tells the end that was settled, not the one that the room saw', async () => {
    const { participant } = await sit();
    spawn(match, participant, screen);
    run(1);
    // Another process took this one for dead and refunded the player.
    ports.settleEntry = async () => ({
      amount: baseUnits(STAKE),
      usdValue: null,
      isNew: false,
      kind: 'fault',
    });
    endMatch(match, 'closed');
    await match.ending.settled;
    expect(participant.gameOver).toMatchObject({ cause: 'fault' });
  });

  test('closes its recording at once, even while results are being settled', async () => {
    const { participant } = await sit();
    spawn(match, participant, screen);
    run(1);
    ports.settleEntry = () => new Promise(() => {});
    endMatch(match, 'closed');
    expect(ports.matches).toEqual([{ id: match.id, lobbyId: match.lobby.id, finalTick: 25, spill: 0n }]);
  });

  test('hands out its recording while it runs, and records nothing before somebody has joined', async () => {
    run(60);
    expect(ports.recordings.size).toBe(0);
    const { participant } = await sit();
    spawn(match, participant, screen);
    run(12);
    const { header, segments } = ports.recordings.get(match.id)!;
    expect(header).toBeDefined();
    const read = segments.map((bytes) => readSegment(bytes));
    expect(read).toMatchObject([
      { ok: true, value: { startTick: 0, tickCount: 1_501 } },
      { ok: true, value: { startTick: 1_501, tickCount: 125 } },
      { ok: true, value: { startTick: 1_626, tickCount: 125 } },
    ]);
    expect(match.recorded.open.commands).toEqual([]);
  });
});
