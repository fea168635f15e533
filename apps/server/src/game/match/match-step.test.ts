import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { GameLobby } from '../ports.ts';
import type { Connection } from '../room/connection.ts';
import { ROOM_LIMITS } from '../room/room-limits.ts';
import { QUICK_RULES } from '../testing/arena-server.ts';
import { createMemoryPorts, issueTicket, type MemoryPorts, paidLobby } from '../testing/memory-ports.ts';
import { type Match, startMatch } from './match.ts';
import { endMatch, stepMatch } from './match-step.ts';
import { steer } from './player-input.ts';
import type { Participant } from './roster.ts';
import { attach, detach, spawn, takeSeat } from './seats.ts';

const STAKE = 50_000_000n;
const screen = { name: '', screenWidth: 1920, screenHeight: 1080 };
let ports: MemoryPorts;
let lobby: GameLobby;
let match: Match;

beforeEach(() => {
  lobby = paidLobby();
  ports = createMemoryPorts([lobby]);
  const deps = { ports, rules: QUICK_RULES, isProduction: false, logger: pino({ level: 'silent' }) };
  match = startMatch(deps, lobby, 0n, () => {});
});

function fakeConnection(): Connection & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    send: (type) => void sent.push(type),
    sendState: () => {},
    canTakeState: () => true,
    kick: () => void sent.push('kick'),
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
  attach(match, taken.value, connection);
  return { participant: taken.value, connection };
}

function run(seconds: number): void {
  for (let i = 0; i < seconds * QUICK_RULES.stepsPerSecond; i++) stepMatch(match);
}

describe('a match', () => {
  test('gives a seat back that nobody spawned from, with the whole stake', async () => {
    const { participant } = await sit();
    run(ROOM_LIMITS.spawnWithinSeconds - 1);
    expect(participant.state).toBe('waiting');
    run(2);
    await match.money.drained();
    expect(ports.settled.get(participant.seat.entryId)).toEqual({
      kind: 'forfeit',
      amount: STAKE,
      massMilli: 0,
    });
    expect(ports.faults).toEqual([]);
  });

  test('ends and is saved when everybody has left it', async () => {
    const { participant, connection } = await sit();
    spawn(match, participant, screen);
    run(10);
    expect(match.finished).toBeUndefined();
    detach(match, participant, connection);
    run(ROOM_LIMITS.idleMatchSeconds + 5);
    await match.finished;
    expect(ports.matches).toHaveLength(1);
    expect(ports.settled.get(participant.seat.entryId)).toMatchObject({ kind: 'forfeit' });
  });

  test('that nobody ever joined just goes on', () => {
    run(ROOM_LIMITS.idleMatchSeconds + 5);
    expect(match.finished).toBeUndefined();
  });

  test('is closed before its recording grows without end', () => {
    match.world.clock.tick = ROOM_LIMITS.maxMatchSeconds * QUICK_RULES.stepsPerSecond;
    run(2);
    expect(match.isClosing).toBe(true);
    run(ROOM_LIMITS.announceClosingSeconds);
    expect(match.finished).toBeDefined();
  });

  test('is closed before its recording grows too large to be saved', async () => {
    const { participant } = await sit();
    spawn(match, participant, screen);
    match.recorded.recording.commands.length = ROOM_LIMITS.maxMatchCommands + 1;
    run(1);
    expect(match.isClosing).toBe(true);
  });

  test('records what is left of the steering: the newest whole offset before a step, if it is another', async () => {
    const { participant } = await sit();
    spawn(match, participant, screen);
    const { commands } = match.recorded.recording;
    const point = (x: number, y: number) => steer(match, participant, { x, y });
    point(10, 10);
    point(90.4, -20);
    run(1);
    point(3, 3);
    point(89.6, -20.3);
    run(1);
    point(-0.4, 0.4);
    run(1);
    const steering = commands.filter(({ command }) => command.type === 'steer');
    const { player } = participant;
    expect(steering.map(({ command }) => command)).toEqual([
      { type: 'steer', player, x: 90, y: -20 },
      { type: 'steer', player, x: 0, y: 0 },
    ]);
  });

  test('settles everybody even if it cannot be saved', async () => {
    const { participant } = await sit();
    spawn(match, participant, screen);
    run(1);
    ports.saveMatch = () => Promise.reject(new RangeError('Invalid string length'));
    endMatch(match, 'closed');
    await expect(match.finished).resolves.toBeUndefined();
    expect(ports.settled.get(participant.seat.entryId)).toMatchObject({ kind: 'closed', amount: STAKE });
    expect(ports.faults).toEqual([]);
  });

  test('that fails gives everybody the whole bounty back', async () => {
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
    stepMatch(match);
    await match.finished;
    expect(ports.settled.get(participant.seat.entryId)).toMatchObject({ kind: 'fault', amount: STAKE });
    expect(ports.settled.get(waiting.seat.entryId)).toMatchObject({ kind: 'closed', amount: STAKE });
    expect(connection.sent).toContain('gameOver');
    expect(ports.faults).toEqual([]);
  });

  test('goes on for the others when one cannot be shown anything', async () => {
    const broken = fakeConnection();
    broken.sendState = () => {
      throw new Error('a bug');
    };
    const [one, two] = [await sit(broken), await sit()];
    spawn(match, one.participant, screen);
    spawn(match, two.participant, screen);
    run(1);
    expect(broken.sent).toContain('kick');
    expect(match.finished).toBeUndefined();
    expect(match.world.players.livingCount).toBe(2);
  });
});
