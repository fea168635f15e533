import { ToolError } from '../toolchain.ts';

export const OPCODE_LDDW = 0x18;
export const OPCODE_CALL = 0x85;
const OPCODE_MOV64 = 0xbf;
const OPCODE_ADD64_IMMEDIATE = 0x07;
const FRAME_POINTER = 10;
const FRAME_BYTES = 4096;

/** Refuses what Solana's verifier would refuse or run differently, in words a developer can act on. */
export function checkBytecode(code: Buffer, functionAt: (offset: number) => string): void {
  for (const at of instructions(code)) {
    const problem = problemAt(code, at);
    if (problem) throw new ToolError(`${problem}, in ${functionAt(at)} (instruction ${at / 8})`);
  }
}

function problemAt(code: Buffer, at: number): string | undefined {
  const opcode = code[at] ?? 0;
  const operation = opcode & 7;
  const [destination, source] = [(code[at + 1] ?? 0) & 15, (code[at + 1] ?? 0) >> 4];
  const isLoad = operation === 1;
  const isStore = operation === 2 || operation === 3;
  if (operation === 4 && (opcode & 0xf0) <= 0x20) return '32-bit addition, subtraction or multiplication';
  if (operation === 6) return '32-bit jump';
  if (operation === 3 && (opcode & 0xe0) === 0xc0) return 'atomic operation: SBPF has none';
  if (isLoad && (opcode & 0xe0) === 0x80) return 'sign-extending load';
  const isInFrame = (isLoad && source === FRAME_POINTER) || (isStore && destination === FRAME_POINTER);
  const offset = isInFrame ? code.readInt16LE(at + 2) : frameAddressAt(code, at);
  if (offset < -FRAME_BYTES)
    return `stack frame of more than ${FRAME_BYTES} bytes: use fewer or smaller locals`;
  return undefined;
}

/** The offset in `r1 = r10; r1 += offset`; 0 if there is no such pair. */
function frameAddressAt(code: Buffer, at: number): number {
  const [destination, source] = [(code[at + 1] ?? 0) & 15, (code[at + 1] ?? 0) >> 4];
  const isCopyOfFramePointer = code[at] === OPCODE_MOV64 && source === FRAME_POINTER;
  const isFollowedByAddition =
    code[at + 8] === OPCODE_ADD64_IMMEDIATE && ((code[at + 9] ?? 0) & 15) === destination;
  return isCopyOfFramePointer && isFollowedByAddition ? code.readInt32LE(at + 12) : 0;
}

function* instructions(code: Buffer): Generator<number> {
  for (let at = 0; at < code.length; at += 8) {
    yield at;
    if (code[at] === OPCODE_LDDW) at += 8; // it takes two slots
  }
}
