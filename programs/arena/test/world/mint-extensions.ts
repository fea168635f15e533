import type { MintExtension } from './tokens.ts';

const NO_KEY = new Uint8Array(32);
const bytes = (...parts: (number | ArrayLike<number>)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : Array.from(part))));

/** Extensions by name: their size including the header of four bytes, and the instruction that sets them up. */
export const mintExtensions = {
  transferFee: {
    bytes: 112,
    data: (key) => bytes(26, 0, 1, key, 1, key, [100, 0], [255, 0, 0, 0, 0, 0, 0, 0]),
  },
  mintCloseAuthority: { bytes: 36, data: (key) => bytes(25, 1, key) },
  confidentialTransfer: { bytes: 69, data: (key) => bytes(27, 0, key, 0, NO_KEY) },
  defaultAccountStateFrozen: { bytes: 5, data: () => bytes(28, 0, 2) },
  nonTransferable: { bytes: 4, data: () => bytes(32) },
  interestBearing: { bytes: 56, data: (key) => bytes(33, 0, key, [5, 0]) },
  permanentDelegate: { bytes: 36, data: (key) => bytes(35, key) },
  transferHook: { bytes: 68, data: (key) => bytes(36, 0, key, key) },
  metadataPointer: { bytes: 68, data: (key) => bytes(39, 0, key, key) },
  groupPointer: { bytes: 68, data: (key) => bytes(40, 0, key, key) },
  groupMemberPointer: { bytes: 68, data: (key) => bytes(41, 0, key, key) },
  scaledUiAmount: { bytes: 60, data: (key) => bytes(43, 0, key, [0, 0, 0, 0, 0, 0, 240, 63]) },
  pausable: { bytes: 37, data: (key) => bytes(44, 0, key) },
} satisfies Record<string, MintExtension>;
