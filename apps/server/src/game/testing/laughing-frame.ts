import { Protocol } from '@colyseus/core';
import { clientTypeNumber } from '@engulf/protocol/room/wire-types';

/**
 * A "billion laughs" frame: each level is a list of ten references to the list before it, so it is small on the wire but
 * grows tenfold with every level when it is read. The byte after it makes the library print it.
 */
export function laughingFrame(levels: number): Uint8Array {
  const lists = Array.from({ length: levels + 1 }, (_, level) => [
    ...reference(0x69, level),
    ...(level === 0
      ? [0x91, 0xc0]
      : [0x9a, ...Array.from({ length: 10 }, () => reference(0x70, level - 1))].flat()),
  ]);
  const head = [Protocol.ROOM_DATA, clientTypeNumber('split')];
  return Uint8Array.from([...head, 0x90 + lists.length, ...lists.flat(), 0xc0]);
}

/**
 * The same as the value of a type that two libraries read differently: by MessagePack it is a text that fills the frame, by
 * the other one of two letters.
 */
export function disguisedFrame(levels: number): Uint8Array {
  const value = laughingFrame(levels).subarray(2);
  const head = [Protocol.ROOM_DATA, 0xda, 0x02, 0x00, 0x78, 0x79];
  const frame = new Uint8Array(4 + 0x200).fill(0xc0);
  frame.set([...head, ...value].slice(0, frame.length));
  return frame;
}

const reference = (kind: number, level: number) => [0xd6, kind, 0, 0, 0, level];
