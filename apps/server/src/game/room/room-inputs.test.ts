import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { matchId } from '@engulf/domain/ids/entity-ids';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { createInputLog } from '@engulf/sim/recording/input-log';
import { type InputStatement, statementBytes } from '@engulf/sim/recording/input-statement';
import { createInputWitness, type WitnessedClaim } from '@engulf/sim/recording/input-witness';
import { replaySegment } from '@engulf/sim/recording/replay';
import { readSegment } from '@engulf/sim/recording/segment';
import { rulesOfLobby } from '@engulf/sim/rules';
import { afterEach, expect, test } from 'vitest';
import {
  type ArenaClient,
  firstMessage,
  joinWithTicket,
  messagesOf,
  sendSpawn,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket, MATCH_KEY } from '../../../testing/game/memory-ports.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';

const RULES = {
  ...QUICK_RULES,
  spawn: { ...QUICK_RULES.spawn, mass: 200 },
  portals: { ...QUICK_RULES.portals, idleSeconds: 1_000 },
  departure: { graceSeconds: 10 },
};
const EVERY_TICKS = 250;
const lobby = paidLobby();
let server: ArenaServer;

afterEach(() => server.stop());

async function start(inputsKey: string | undefined) {
  server = await startArenaServer([lobby], RULES);
  const { ticket, seat } = issueTicket(server.ports, lobby);
  Object.assign(seat, { inputsKey });
  const client = await joinWithTicket(server, lobby, ticket);
  sendSpawn(client);
  await server.until(() => client.decoder.view.own !== undefined);
  const { matchId: id, commitment } = await firstMessage(server, client, 'welcome');
  return { client, id: matchId(id), commitment: Uint8Array.from(Buffer.from(commitment, 'hex')) };
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey,
    publicKey,
    hex: publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('hex'),
  };
}

/** Moves, splits and ejects for some seconds, as a page would, and returns what can be signed of it. */
async function act(client: ArenaClient, seconds: number): Promise<WitnessedClaim[]> {
  const witness = createInputWitness(EVERY_TICKS);
  witness.noteLine();
  const claims: WitnessedClaim[] = [];
  let [turn, lastTick] = [0, 0];
  const { view } = client.decoder;
  const endTick = view.tick + 25 * seconds;
  await server.until(
    () => view.tick >= endTick,
    () => {
      if (view.tick > lastTick) {
        lastTick = view.tick;
        const player = view.own?.cells.length ? (view.own.id as PlayerId) : undefined;
        const claim = witness.noteUpdate(view.tick, view.acknowledged, player);
        if (claim) claims.push(claim);
      }
      turn++;
      const seq = turn % 256;
      const [x, y] = [300 * Math.cos(turn / 9), 300 * Math.sin(turn / 9)];
      if (turn % 40 === 7) client.send('split', { seq });
      else if (turn % 20 === 3) client.send('ejectMass', { seq });
      else client.send('movement', { x, y, seq });
      const type = turn % 40 === 7 ? 'split' : turn % 20 === 3 ? 'eject' : 'steer';
      witness.noteSent(seq, { type, x, y });
    },
  );
  return claims;
}

function signed({ claim, rowsHash }: WitnessedClaim, commitment: Uint8Array, key: KeyObject) {
  const { from, to, delayTicks } = claim;
  const signature = sign(null, statementBytes(commitment, claim, rowsHash), key).toString('hex');
  return { from, to, seen: Buffer.from(claim.seen).toString('hex'), delayTicks, signature };
}

/** Of one tick. */
function shorten({ claim, rowsHash }: WitnessedClaim): WitnessedClaim {
  return { claim: { ...claim, from: claim.to - 1, seen: Uint8Array.of(1) }, rowsHash };
}

/** Ends the match and plays its recording again. */
async function statementsOf(id: ReturnType<typeof matchId>) {
  await server.game.close();
  const world = createWorld({ key: MATCH_KEY, rules: rulesOfLobby(RULES, lobby), spill: 0n });
  const found: { statement: InputStatement; rowsHash: Uint8Array | undefined }[] = [];
  const log = createInputLog('all');
  const onStatement = (statement: InputStatement, rowsHash: Uint8Array | undefined) =>
    found.push({ statement, rowsHash });
  for (const bytes of server.ports.recordings.get(id)!.segments) {
    const segment = readSegment(bytes);
    if (!segment.ok) throw new Error(segment.error.problem);
    expect(replaySegment(world, segment.value, undefined, { log, onStatement })).toBeUndefined();
  }
  return found;
}

const refusals = (client: ArenaClient) => messagesOf(client, 'error').map(({ code }) => code);

test('what a player has signed about its inputs is recorded, and whoever plays the recording finds the same', async () => {
  const key = newKey();
  const { client, id, commitment } = await start(key.hex);
  expect(messagesOf(client, 'welcome').at(-1)).toMatchObject({ inputsKey: key.hex });
  const claims = await act(client, 32);
  expect(claims.length).toBeGreaterThanOrEqual(3);
  for (const claim of claims) client.send('confirmInputs', signed(claim, commitment, key.privateKey));
  await server.play(6);
  expect(refusals(client)).toEqual([]);
  const found = await statementsOf(id);
  expect(found).toHaveLength(claims.length);
  for (const { statement, rowsHash } of found) {
    const bytes = statementBytes(commitment, statement, rowsHash!);
    expect(verify(null, bytes, key.publicKey, statement.signature)).toBe(true);
    expect(statement.delayTicks).toBeLessThan(10);
  }
});

test('what is not of the inputs, not signed by the key or of another time is refused, and the match goes on', async () => {
  const key = newKey();
  const { client, id, commitment } = await start(key.hex);
  const [first, second] = await act(client, 22);
  const good = signed(first!, commitment, key.privateKey);
  const forged = { ...good, signature: 'ab'.repeat(64) };
  const moved = signed({ ...first!, rowsHash: numberedKey(1) }, commitment, key.privateKey);
  const { claim } = second!;
  const late = { ...claim, from: claim.from + 10_000, to: claim.to + 10_000 };
  const future = signed({ claim: late, rowsHash: second!.rowsHash }, commitment, key.privateKey);
  const hostile = [
    forged,
    moved,
    future,
    { ...good, seen: `${good.seen}00` },
    signed(shorten(first!), commitment, key.privateKey),
    { ...good, from: good.to, to: good.from },
    signed(first!, numberedKey(9), key.privateKey),
    signed(first!, commitment, newKey().privateKey),
    // The point of order one, for which anybody can sign.
    { ...good, signature: `01${'00'.repeat(63)}` },
  ];
  for (const statement of hostile) {
    client.send('confirmInputs', statement);
    await server.play(2.1);
  }
  expect(refusals(client)).toEqual(hostile.map(() => 'INPUTS_NOT_CONFIRMED'));
  // Each part of a game counts once.
  for (const statement of [good, good]) client.send('confirmInputs', statement);
  await server.play(6);
  expect(refusals(client).length).toBe(hostile.length + 1);
  expect(await statementsOf(id)).toHaveLength(1);
});

test('a flood of statements, and those that are no statements, are refused unseen', async () => {
  const { client, id } = await start(newKey().hex);
  const statement = { from: 1, to: 2, seen: '01', delayTicks: 1, signature: 'ab'.repeat(64) };
  for (const seen of ['', '1', 'zz', '00'.repeat(126)]) client.send('confirmInputs', { ...statement, seen });
  await server.play(1);
  expect(refusals(client)).toEqual(Array.from({ length: 4 }, () => 'INVALID_REQUEST'));
  for (let sent = 0; sent < 40; sent++) client.send('confirmInputs', statement);
  await server.play(1);
  expect(new Set(refusals(client))).toEqual(new Set(['INVALID_REQUEST', 'RATE_LIMITED']));
  expect(client.closeCode).toBeUndefined();
  expect(await statementsOf(id)).toEqual([]);
});

test('in a match that has moved to another process, the same key signs on', async () => {
  const key = newKey();
  const { client, id, commitment } = await start(key.hex);
  const [before] = await act(client, 14);
  const [seat] = server.ports.seats.values();
  server.ports.takersLeft = 1;
  void server.game.leave();
  await firstMessage(server, client, 'matchMoved');
  await server.until(() => server.ports.handedOver.length === 0);
  const { ticket, seat: returning } = issueTicket(server.ports, lobby, seat!.entryId, seat!.userId);
  Object.assign(returning, { inputsKey: key.hex });
  const back = await joinWithTicket(server, lobby, ticket);
  sendSpawn(back);
  await server.until(() => back.decoder.view.own !== undefined);
  const [after] = await act(back, 14);
  // What the other process knew of it is gone.
  back.send('confirmInputs', signed(before!, commitment, key.privateKey));
  back.send('confirmInputs', signed(after!, commitment, key.privateKey));
  await server.play(6);
  expect(refusals(back)).toEqual(['INPUTS_NOT_CONFIRMED']);
  const [found, ...more] = await statementsOf(id);
  expect(more).toEqual([]);
  const bytes = statementBytes(commitment, found!.statement, found!.rowsHash!);
  expect(verify(null, bytes, key.publicKey, found!.statement.signature)).toBe(true);
});

test('nothing is recorded of a player whose payment names no key', async () => {
  const key = newKey();
  const { client, id, commitment } = await start(undefined);
  expect(messagesOf(client, 'welcome').at(-1)).not.toHaveProperty('inputsKey');
  const [claim] = await act(client, 12);
  client.send('confirmInputs', signed(claim!, commitment, key.privateKey));
  await server.play(1);
  expect(refusals(client)).toEqual(['INPUTS_NOT_CONFIRMED']);
  expect(await statementsOf(id)).toEqual([]);
});
