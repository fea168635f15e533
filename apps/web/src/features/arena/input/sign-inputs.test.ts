import { toHex } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { hashRows, statementBytes } from '@engulf/sim/recording/input-statement';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInputsKey } from '../../../shared/inputs-keys.ts';
import { keepMatch, readKept } from '../../../shared/kept-receipts.ts';
import type { ArenaModel } from '../model/arena-model.ts';
import { createArenaEvents } from '../net/events.ts';
import { signInputs } from './sign-inputs.ts';

const PLAYER = 65_536;
const commitment = 'cd'.repeat(32);

beforeEach(() => {
  const values = new Map<string, string>();
  const area = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
  vi.stubGlobal('window', { localStorage: area });
});
afterEach(() => vi.unstubAllGlobals());

function welcome(inputsKey: string | undefined) {
  const player = { id: PLAYER, name: 'Ann', x: 0, y: 0, massTotal: 1, reward: '1', admin: false };
  const about = {
    worldSize: 1,
    ticksPerSecond: 25,
    isFreeLobby: false,
    isTesting: false,
    tokenSymbol: 'SOL',
  };
  const payload = { player, matchId: 'match-1', commitment, ...about, ...(inputsKey && { inputsKey }) };
  return { type: 'welcome' as const, payload };
}

function viewAt(tick: number, acknowledged: number, isAlive = true): ArenaModel['view'] {
  const own = { id: PLAYER, cells: isAlive ? [{}] : [] };
  return { tick, acknowledged, own } as unknown as ArenaModel['view'];
}

async function start(inputsKey: string | undefined) {
  const events = createArenaEvents();
  const send = vi.fn(() => true);
  const signing = signInputs(events, send);
  events.publish(welcome(inputsKey));
  // The key is imported meanwhile.
  await new Promise((done) => setTimeout(done, 50));
  return { events, send, signing };
}

test('after thirty seconds the inputs that were taken are signed, sent and kept', async () => {
  const inputsKey = await createInputsKey();
  keepMatch('match-1', commitment);
  const { send, signing } = await start(inputsKey);
  signing.noteSent(1, 'steer', 103, -50);
  for (let tick = 10; tick < 12; tick++) signing.noteUpdate(viewAt(tick, 1));
  signing.noteSent(2, 'split');
  for (let tick = 12; tick <= 11 + 750; tick++) signing.noteUpdate(viewAt(tick, tick < 20 ? 1 : 2));
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  const [type, sent] = send.mock.calls[0] as unknown as [string, { signature: string; seen: string }];
  expect(type).toBe('confirmInputs');
  expect(sent).toMatchObject({ from: 11, to: 761, delayTicks: 9 });
  const row = { x: 104, y: -48, splits: 0, ejects: 0 };
  const rowsHash = hashRows([
    { tick: 11, ...row },
    { tick: 20, ...row, splits: 1 },
  ]);
  const bytes = (hex: string) => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  const claim = { player: PLAYER as PlayerId, from: 11, to: 761, seen: bytes(sent.seen), delayTicks: 9 };
  const message = Uint8Array.from(statementBytes(bytes(commitment), claim, rowsHash));
  const key = await crypto.subtle.importKey('raw', bytes(inputsKey!), 'Ed25519', false, ['verify']);
  expect(await crypto.subtle.verify('Ed25519', key, bytes(sent.signature), message)).toBe(true);
  expect(readKept('match-1')?.statements).toMatchObject([{ to: 761, rowsHash: toHex(rowsHash) }]);
});

test('what a short life has left to sign is kept, and not sent', async () => {
  const inputsKey = await createInputsKey();
  keepMatch('match-1', commitment);
  const { send, signing } = await start(inputsKey);
  signing.noteSent(1, 'steer', 100, 0);
  for (let tick = 1; tick < 100; tick++) signing.noteUpdate(viewAt(tick, 1));
  signing.noteUpdate(viewAt(100, 1, false));
  await vi.waitFor(() => expect(readKept('match-1')?.statements).toMatchObject([{ to: 99 }]));
  expect(send).not.toHaveBeenCalled();
});

test('what the room has refused because too much came at once is not claimed', async () => {
  const inputsKey = await createInputsKey();
  keepMatch('match-1', commitment);
  const { events, send, signing } = await start(inputsKey);
  signing.noteSent(1, 'steer', 100, 0);
  for (let tick = 1; tick < 300; tick++) signing.noteUpdate(viewAt(tick, 1));
  signing.noteSent(2, 'eject');
  events.publish({
    type: 'error',
    payload: { code: 'RATE_LIMITED', message: 'Slower.', about: 'ejectMass' },
  });
  signing.noteSent(3, 'steer', 200, 0);
  for (let tick = 300; tick < 1_100; tick++) signing.noteUpdate(viewAt(tick, 3));
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  expect(send.mock.calls[0]).toMatchObject(['confirmInputs', { from: 300, to: 1_050 }]);
  expect(readKept('match-1')?.statements).toHaveLength(1);
});

test('without a key of this browser nothing is signed', async () => {
  for (const inputsKey of [undefined, 'ab'.repeat(32)]) {
    const { send, signing } = await start(inputsKey);
    signing.noteSent(1, 'steer', 100, 0);
    for (let tick = 1; tick < 1_000; tick++) signing.noteUpdate(viewAt(tick, 1));
    signing.stop();
    await new Promise((done) => setTimeout(done, 20));
    expect(send).not.toHaveBeenCalled();
  }
});
