import { matchId } from '@engulf/domain/ids/entity-ids';
import { numberedKey } from '@engulf/sim/keys';
import { NO_BOND } from '@engulf/sim/recording/header';
import { isTruce } from '@engulf/sim/truce';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDeps, QUICK_RULES } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { freeLobby, paidLobby } from '../../../testing/game/test-lobbies.ts';
import type { Connection } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';
import { awaitsReturn, packMatch, resumeMatch } from './handover.ts';
import { type Match, startMatch } from './match.ts';
import { noteDrop } from './outage.ts';
import { allResultsSettled } from './results.ts';
import type { Participant } from './roster.ts';
import { attach, detach, spawn, takeSeat } from './seats.ts';
import { stepMatch } from './step.ts';

const STAKE = 50_000_000n;
/** Nothing happens to anybody but by the lines. */
const RULES = { ...QUICK_RULES, eating: { massRatio: 1_000, preyDepth: 1 }, departure: { graceSeconds: 5 } };

const ORIGIN = {
  id: matchId('match'),
  commitment: numberedKey(1),
  publicPart: null,
  bond: NO_BOND,
  secret: numberedKey(2),
};

type Person = { readonly participant: Participant; connection: Connection };

let deps: ReturnType<typeof createTestDeps>;
let match: Match;
let people: Person[];

beforeEach(() => open());

function open(lobby = paidLobby()): void {
  deps = createTestDeps([lobby], RULES);
  match = startMatch(deps, { lobby, origin: ORIGIN, spill: 0n }, () => {});
  people = [];
}

const connectionFrom = (address: string): Connection => ({
  address,
  send: () => {},
  sendState: () => {},
  canTakeState: () => true,
  kick: () => {},
  expel: () => {},
  close: async () => {},
  refuse: () => {},
  isText: false,
});

async function enter(address: string): Promise<Person> {
  const { ticket } = issueTicket(deps.ports, match.lobby);
  const redeemed = await deps.ports.redeemTicket(ticket, match.lobby.id);
  if (!redeemed.ok) throw new Error('no seat');
  const taken = takeSeat(match, redeemed.value);
  if (!taken.ok) throw new Error(taken.error.code);
  const person = { participant: taken.value, connection: connectionFrom(address) };
  attach(match, person.participant, person.connection, 'token');
  spawn(match, person.participant, { name: '', screenWidth: 1920, screenHeight: 1080 });
  people.push(person);
  return person;
}

async function enterFrom(...addresses: string[]): Promise<void> {
  for (const address of addresses) await enter(address);
  run(1);
}

function drop(...some: Person[]): void {
  for (const { participant, connection } of some) {
    detach(match, participant, connection);
    noteDrop(match, participant, connection.address);
  }
}

function comeBack(...some: Person[]): void {
  for (const person of some) {
    person.connection = connectionFrom(person.connection.address);
    attach(match, person.participant, person.connection, 'token');
  }
}

function run(seconds: number): void {
  for (let i = 0; i < seconds * RULES.stepsPerSecond; i++) {
    deps.clock.advance(1_000 / RULES.stepsPerSecond);
    stepMatch(match, 0);
  }
}

/** To another process, where nobody is connected yet. */
async function move(): Promise<void> {
  const { lobby } = match;
  const leaving = (await packMatch(match))!;
  const seats = people.map(({ participant }) => participant.seat);
  match = resumeMatch(deps, { lobby, origin: ORIGIN, seats, state: leaving.state }, () => {});
  people = people.map(({ participant, connection }) => ({
    participant: match.roster.byEntry.get(participant.seat.entryId)!,
    connection,
  }));
}

/** It does not wait for its players any longer. */
function goOn(): void {
  deps.clock.advance(ROOM_LIMITS.returnWithinMs);
  expect(awaitsReturn(match)).toBe(false);
}

const hasTruce = () => isTruce(match.world.truce);
const outcomes = async () => {
  await allResultsSettled(match.results);
  return people.map(({ participant }) => deps.ports.settled.get(participant.seat.entryId));
};

describe('lines that break at once', () => {
  test('of most players are waited for, and the match goes on when they are back', async () => {
    await enterFrom('a', 'b', 'c', 'd', 'e');
    drop(...people.slice(0, 3));
    expect(hasTruce()).toBe(true);
    run(ROOM_LIMITS.truceSeconds - 2);
    expect(hasTruce()).toBe(true);
    comeBack(...people.slice(0, 2));
    run(1);
    expect(hasTruce()).toBe(false);
    expect(match.world.clock.isEnded).toBe(false);
    // The third one has the rest of its grace, and then forfeits as anybody who stays away.
    run(RULES.departure.graceSeconds + 1);
    expect((await outcomes()).map((outcome) => outcome?.kind)).toEqual([
      undefined,
      undefined,
      'forfeit',
      undefined,
      undefined,
    ]);
  });

  test("and stay broken end the match with everybody's whole bounty", async () => {
    await enterFrom('a', 'b', 'c', 'd', 'e');
    const [rich] = match.world.players.bounty;
    match.world.players.bounty[0] = rich! + STAKE;
    match.world.players.bounty[1] = 0n;
    drop(...people);
    run(ROOM_LIMITS.truceSeconds + 2);
    expect(match.world.clock.isEnded).toBe(true);
    expect(await outcomes()).toMatchObject([
      { kind: 'fault', amount: 2n * STAKE },
      { kind: 'fault', amount: 0n },
      { kind: 'fault', amount: STAKE },
      { kind: 'fault', amount: STAKE },
      { kind: 'fault', amount: STAKE },
    ]);
  });

  test.each([
    ['a pair', ['a', 'b', 'c'], 2],
    ['both of two players', ['a', 'b'], 2],
    ['half of the room', ['a', 'b', 'c', 'd', 'e', 'f'], 3],
    ['many with one address', ['a', 'a', 'a', 'a', 'b'], 4],
    ['some whose address is still there', ['a', 'b', 'c', 'a', 'b', 'c'], 3],
  ])('of %s are no outage', async (_, addresses, dropping) => {
    await enterFrom(...addresses);
    drop(...people.slice(0, dropping));
    expect(hasTruce()).toBe(false);
    run(RULES.departure.graceSeconds + 1);
    const gone = (await outcomes()).slice(0, dropping);
    expect(gone).toMatchObject(gone.map(() => ({ kind: 'forfeit' })));
  });

  test('one after the other are no outage', async () => {
    await enterFrom('a', 'b', 'c', 'd', 'e');
    for (const person of people) {
      drop(person);
      run(ROOM_LIMITS.outageWithinMs / 1_000);
      expect(hasTruce()).toBe(false);
      comeBack(person);
    }
  });

  test('pause a match only a few times', async () => {
    await enterFrom('a', 'b', 'c', 'd');
    for (let nth = 0; nth < ROOM_LIMITS.maxTruces; nth++) {
      drop(...people);
      expect(hasTruce()).toBe(true);
      comeBack(...people);
      run(3);
      expect(hasTruce()).toBe(false);
    }
    drop(...people);
    expect(hasTruce()).toBe(false);
  });

  test('while a match moves, because its new place cannot be reached, end it with whole bounties', async () => {
    await enterFrom('a', 'b', 'c', 'd', 'e');
    match.world.players.bounty[0]! += STAKE;
    match.world.players.bounty[1] = 0n;
    await move();
    comeBack(people[4]!);
    goOn();
    expect(hasTruce()).toBe(true);
    run(ROOM_LIMITS.truceSeconds + RULES.departure.graceSeconds);
    expect(await outcomes()).toMatchObject([
      { kind: 'fault', amount: 2n * STAKE },
      { kind: 'fault', amount: 0n },
      ...people.slice(2).map(() => ({ kind: 'fault', amount: STAKE })),
    ]);
  });

  test('while a match moves are no outage if they have one address, or most come back', async () => {
    await enterFrom('a', 'a', 'a', 'a', 'b');
    await move();
    comeBack(people[4]!);
    goOn();
    expect(hasTruce()).toBe(false);
    open();
    await enterFrom('a', 'b', 'c', 'd', 'e');
    await move();
    comeBack(...people.slice(0, 3));
    goOn();
    expect(hasTruce()).toBe(false);
  });

  test('before a match moves are waited for after it, and its truces count on', async () => {
    await enterFrom('a', 'b', 'c', 'd');
    drop(...people);
    await move();
    goOn();
    expect(match.outage.truces).toBe(1);
    run(ROOM_LIMITS.truceSeconds + 2);
    expect(await outcomes()).toMatchObject(people.map(() => ({ kind: 'fault', amount: STAKE })));
  });

  test('pause no free match', async () => {
    open(freeLobby());
    await enterFrom('a', 'b', 'c', 'd');
    drop(...people);
    expect(hasTruce()).toBe(false);
  });
});
