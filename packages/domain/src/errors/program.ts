import type { ErrorDefinitions } from './result.ts';

const httpStatus = 422;
const title = 'Transaction Failed';

/** In the order of the program's custom error numbers, which start at 6000: append, never insert. */
export const PROGRAM_ERRORS = {
  PROGRAM_UNAUTHORIZED: { httpStatus, title, text: 'Unauthorized: signer is not the super admin.' },
  PROGRAM_INVALID_FEE_PERCENTAGE: {
    httpStatus,
    title,
    text: 'Invalid fee percentage: must be between 0 and 10000 basis points.',
  },
  PROGRAM_INCORRECT_TOKEN_MINT: { httpStatus, title, text: 'Incorrect token mint for this lobby.' },
  PROGRAM_INCORRECT_REWARD_POOL: {
    httpStatus,
    title,
    text: 'Incorrect reward pool token account provided.',
  },
  PROGRAM_INCORRECT_TREASURY: { httpStatus, title, text: 'Incorrect platform treasury wallet provided.' },
  PROGRAM_ZERO_REWARD: { httpStatus, title, text: 'Reward amount must be greater than zero.' },
  PROGRAM_INCORRECT_LOBBY_TYPE: {
    httpStatus,
    title,
    text: 'Incorrect lobby type: operation not valid for this lobby type.',
  },
  PROGRAM_INSUFFICIENT_LOBBY_BALANCE: {
    httpStatus,
    title,
    text: 'Insufficient balance in lobby for reward claim.',
  },
  PROGRAM_ZERO_ENTRY_FEE: { httpStatus, title, text: 'Entry fee must be greater than zero.' },
  PROGRAM_ENTRY_FEE_CHANGED: {
    httpStatus,
    title,
    text: 'Entry fee differs from the one the player agreed to.',
  },
  PROGRAM_POOL_NOT_EMPTY: { httpStatus, title, text: 'Lobby pool is not empty.' },
  PROGRAM_UNSUPPORTED_MINT: {
    httpStatus,
    title,
    text: 'Token mint has an extension that could move or block pool funds.',
  },
  PROGRAM_INVALID_BATCH: {
    httpStatus,
    title,
    text: 'A batch names 1 to 10 players, with one amount for each.',
  },
  PROGRAM_DUPLICATE_RECIPIENT: { httpStatus, title, text: 'A player appears twice in the batch.' },
  PROGRAM_INVALID_RECIPIENT: { httpStatus, title, text: 'Recipient cannot be paid from this lobby.' },
  PROGRAM_INVALID_ACCOUNT: {
    httpStatus,
    title,
    text: 'Account is not the one expected: wrong address, owner or type.',
  },
  PROGRAM_ARITHMETIC_OVERFLOW: { httpStatus, title, text: 'Amount does not fit into 64 bits.' },
  PROGRAM_BALANCE_MISMATCH: {
    httpStatus,
    title,
    text: 'A transfer did not move exactly the amount asked for.',
  },
  PROGRAM_STAKE_TOO_SMALL: {
    httpStatus,
    title,
    text: 'Less would reach the pool than the player agreed to.',
  },
  PROGRAM_FEE_ABOVE_CAP: { httpStatus, title, text: 'Platform fee is above the cap of 2000 basis points.' },
  PROGRAM_LOBBY_ID_USED: {
    httpStatus,
    title,
    text: 'A lobby with this id was removed; its id cannot be used again.',
  },
} as const satisfies ErrorDefinitions;

export type ProgramErrorCode = keyof typeof PROGRAM_ERRORS;
