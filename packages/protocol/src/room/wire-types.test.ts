import { POINTER_STEP, quantisePointer } from '@engulf/sim/pointer';
import { expect, test, vi } from 'vitest';
import {
  BYTE_MESSAGES,
  MAX_POINTER_WORLD,
  POINTER_STEP_WORLD,
  readMovement,
  writeMovement,
} from './byte-messages.ts';
import { ROOM_CLIENT_MESSAGES, type RoomClientMessageType } from './client-messages.ts';
import { ROOM_SERVER_MESSAGES, type RoomServerMessageType, STATE_MESSAGES } from './server-messages.ts';
import { clientTypeNumber, clientTypeOf, sendToRoom, serverTypeNumber, serverTypeOf } from './wire-types.ts';

const MAX_ONE_BYTE = 127;

test('every type has a number of its own that takes one byte', () => {
  const clientTypes = Object.keys(ROOM_CLIENT_MESSAGES) as RoomClientMessageType[];
  for (const type of clientTypes) expect(clientTypeOf(clientTypeNumber(type))).toBe(type);
  const serverTypes = [
    ...(Object.keys(ROOM_SERVER_MESSAGES) as RoomServerMessageType[]),
    ...Object.values(STATE_MESSAGES.player),
    ...Object.values(STATE_MESSAGES.spectator),
  ];
  for (const type of serverTypes) {
    expect(serverTypeOf(serverTypeNumber(type))).toBe(type);
    expect(serverTypeNumber(type)).toBeLessThanOrEqual(MAX_ONE_BYTE);
  }
});

test.each(['movement', 'length', -1, 0.5, 999, Number.NaN, null, undefined, {}])(
  '%s is the number of no type',
  (wireType) => {
    expect(clientTypeOf(wireType)).toBeUndefined();
    expect(serverTypeOf(wireType)).toBeUndefined();
  },
);

test('every pointer that the arena tells apart survives in four bytes, with every number', () => {
  expect(POINTER_STEP_WORLD).toBe(POINTER_STEP);
  for (let x = -MAX_POINTER_WORLD; x <= MAX_POINTER_WORLD; x += POINTER_STEP) {
    const y = quantisePointer(-x / 3);
    const seq = Math.abs(x / POINTER_STEP) % 256;
    const bytes = writeMovement({ x, y, seq });
    expect(bytes).toHaveLength(4);
    expect(readMovement(bytes)).toEqual({ x, y, seq });
  }
});

test('a pointer beyond the limit is cut to it, and bytes that nobody writes are refused', () => {
  const far = readMovement(writeMovement({ x: 1e9, y: -1e9, seq: 255 }));
  expect(far).toEqual({ x: MAX_POINTER_WORLD, y: -MAX_POINTER_WORLD, seq: 255 });
  expect(readMovement(Uint8Array.of(0x00, 0x08, 0, 0))).toBeUndefined();
  expect(readMovement(Uint8Array.of(0, 0, 0x80, 0))).toBeUndefined();
  for (const length of [0, 3, 5]) expect(readMovement(new Uint8Array(length))).toBeUndefined();
});

test('splitting and ejecting take one byte, and nothing else is read as one', () => {
  const { read, write } = BYTE_MESSAGES.split;
  for (let seq = 0; seq < 256; seq++) expect(read(write({ seq }))).toEqual({ seq });
  for (const length of [0, 2, 4]) expect(read(new Uint8Array(length))).toBeUndefined();
});

test.each([
  { id: 0, timestamp: 0, data: 'x'.repeat(100) },
  { id: Number.MAX_SAFE_INTEGER, timestamp: 1_767_225_600_000.5, data: '\ufeffä世🦠\0'.padEnd(100) },
  { id: 1, timestamp: Number.MAX_VALUE, data: '\uffff'.repeat(100) },
])('ping $id survives as bytes, with its padding, wherever they are in a buffer', (ping) => {
  const bytes = BYTE_MESSAGES.ping.write(ping);
  const buffer = Buffer.concat([Buffer.alloc(3), bytes, Buffer.alloc(9)]);
  expect(BYTE_MESSAGES.ping.read(buffer.subarray(3, 3 + bytes.length))).toEqual(ping);
});

const ping = { id: 7, timestamp: 5, data: 'x'.repeat(100) };

test.each([
  { ...ping, id: -1 },
  { ...ping, id: 0.5 },
  { ...ping, id: 2 ** 53 },
  { ...ping, id: Number.NaN },
  { ...ping, timestamp: -1 },
  { ...ping, timestamp: Number.NaN },
  { ...ping, timestamp: Number.POSITIVE_INFINITY },
  { ...ping, data: 'x'.repeat(99) },
  { ...ping, data: 'x'.repeat(4_000) },
])('%o is no ping', (payload) => {
  expect(BYTE_MESSAGES.ping.read(BYTE_MESSAGES.ping.write(payload))).toBeUndefined();
});

test('too few bytes are no ping', () => {
  for (const length of [0, 1, 15, 16])
    expect(BYTE_MESSAGES.ping.read(new Uint8Array(length))).toBeUndefined();
});

test('what comes all the time is sent as bytes, everything else as it is', () => {
  const room = { send: vi.fn(), sendBytes: vi.fn() };
  const pointer = { x: 40, y: -8, seq: 3 };
  sendToRoom(room, 'movement', pointer);
  sendToRoom(room, 'split', { seq: 4 });
  sendToRoom(room, 'fullUpdate');
  sendToRoom(room, 'ejectMass', { seq: 5 });
  sendToRoom(room, 'ping', ping);
  expect(room.sendBytes.mock.calls).toEqual([
    [clientTypeNumber('movement'), writeMovement(pointer)],
    [clientTypeNumber('split'), Uint8Array.of(4)],
    [clientTypeNumber('ejectMass'), Uint8Array.of(5)],
    [clientTypeNumber('ping'), BYTE_MESSAGES.ping.write(ping)],
  ]);
  expect(room.send.mock.calls).toEqual([[clientTypeNumber('fullUpdate'), undefined]]);
});
