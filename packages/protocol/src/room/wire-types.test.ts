import { POINTER_STEP, quantisePointer } from '@engulf/sim/pointer';
import { expect, test, vi } from 'vitest';
import { ROOM_CLIENT_MESSAGES, type RoomClientMessageType } from './client-messages.ts';
import {
  INPUT_BYTES,
  MAX_POINTER_WORLD,
  POINTER_STEP_WORLD,
  readMovement,
  writeMovement,
} from './input-bytes.ts';
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
  const { read, write } = INPUT_BYTES.split;
  for (let seq = 0; seq < 256; seq++) expect(read(write({ seq }))).toEqual({ seq });
  for (const length of [0, 2, 4]) expect(read(new Uint8Array(length))).toBeUndefined();
});

test('inputs are sent as bytes, everything else as it is', () => {
  const room = { send: vi.fn(), sendBytes: vi.fn() };
  const pointer = { x: 40, y: -8, seq: 3 };
  sendToRoom(room, 'movement', pointer);
  sendToRoom(room, 'split', { seq: 4 });
  sendToRoom(room, 'fullUpdate');
  sendToRoom(room, 'ejectMass', { seq: 5 });
  expect(room.sendBytes.mock.calls).toEqual([
    [clientTypeNumber('movement'), writeMovement(pointer)],
    [clientTypeNumber('split'), Uint8Array.of(4)],
    [clientTypeNumber('ejectMass'), Uint8Array.of(5)],
  ]);
  expect(room.send.mock.calls).toEqual([[clientTypeNumber('fullUpdate'), undefined]]);
});
