import { expect, test } from 'vitest';
import { checkBytecode } from './bytecode.ts';

/** One instruction: opcode, destination and source register, offset, immediate. */
function instruction(opcode: number, destination = 0, source = 0, offset = 0, immediate = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode;
  bytes[1] = (source << 4) | destination;
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(immediate, 4);
  return bytes;
}
const check = (...code: Buffer[]) => checkBytecode(Buffer.concat(code), () => 'somewhere');
const EXIT = instruction(0x95);

test.each([
  ['32-bit addition', instruction(0x04, 1, 0, 0, 1)],
  ['32-bit jump', instruction(0x16, 1)],
  ['atomic operation', instruction(0xdb, 1, 2)],
  ['sign-extending load', instruction(0x91, 1, 2)],
])('checkBytecode refuses a %s', (name, bad) => {
  expect(() => check(EXIT, bad)).toThrow(new RegExp(`^${name}.*, in somewhere \\(instruction 1\\)$`));
});

test('checkBytecode refuses a stack frame over 4096 bytes, by load, store or address', () => {
  const deep = 'stack frame of more than 4096 bytes';
  expect(() => check(instruction(0x79, 1, 10, -4104))).toThrow(deep);
  expect(() => check(instruction(0x7b, 10, 1, -4104))).toThrow(deep);
  expect(() => check(instruction(0xbf, 3, 10), instruction(0x07, 3, 0, 0, -4104))).toThrow(deep);
  check(instruction(0x79, 1, 10, -4096), instruction(0xbf, 3, 10), instruction(0x07, 3, 0, 0, -4096), EXIT);
});

test('checkBytecode skips the second half of lddw', () => {
  check(instruction(0x18, 1), instruction(0x04), EXIT);
});
