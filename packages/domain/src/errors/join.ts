import type { ErrorDefinitions } from './definition.ts';

export const JOIN_ERRORS = {
  /** The player is in a match. */
  ACTIVE_SESSION_EXISTS: {
    httpStatus: 409,
    title: 'Multiple Session Detected',
    text: 'You are already in a game.',
  },
  /** The player holds a seat that is not played yet. */
  EXISTING_SESSION_DETECTED: {
    httpStatus: 409,
    title: 'Multiple Session Detected',
    text: 'You already have an open session.',
  },
  /** A payment of the player is still being decided. */
  SESSION_CONFLICT: {
    httpStatus: 409,
    title: 'Payment In Progress',
    text: 'A payment of yours is still being processed.',
  },
  DUPLICATE_TRANSACTION: {
    httpStatus: 409,
    title: 'Payment Failed',
    text: 'This transaction has already been used.',
  },
  WALLET_ADDRESS_MISMATCH: {
    httpStatus: 403,
    title: 'Payment Failed',
    text: 'Please pay using the same wallet you logged in',
  },
  PAYMENT_DESTINATION_VERIFICATION_FAILED: {
    httpStatus: 422,
    title: 'Payment Failed',
    text: 'The payment did not go to this lobby.',
  },
  TRANSACTION_FAILED: {
    httpStatus: 422,
    title: 'Payment Failed',
    text: ({ reason }: { reason: string }) => `Transaction failed: ${reason}`,
  },
  LOBBY_FULL: {
    httpStatus: 409,
    title: 'Lobby Full',
    text: 'This lobby is currently at maximum capacity',
  },
  LOBBY_OFFLINE: {
    httpStatus: 503,
    title: 'Lobby Offline',
    text: 'This lobby is currently offline',
  },
  LOBBY_CLOSED: {
    httpStatus: 403,
    title: 'LOBBY CLOSED',
    text: 'This lobby is closed at the moment.',
  },
  INVALID_LOBBY_CODE: {
    httpStatus: 403,
    title: 'Invalid Lobby Code',
    text: 'The lobby code you entered is incorrect.',
  },
  ENTRY_LIMIT_REACHED: {
    httpStatus: 403,
    title: 'Entry Limit Reached',
    text: 'You have reached the maximum number of entries for this lobby.',
  },
  LOBBY_NOT_FOUND: {
    httpStatus: 404,
    title: 'Lobby Not Found',
    text: 'Please select a lobby first',
  },
  USER_NOT_ELIGIBLE: {
    httpStatus: 403,
    title: 'User Not Eligible',
    text: 'You need a verified referral code or raffle win to play',
  },
  USER_NOT_FOUND: {
    httpStatus: 404,
    title: 'User Not Found',
    text: 'Please connect the wallet again',
  },
  PLAYER_NAME_REQUIRED: {
    httpStatus: 400,
    title: 'Player Name Required',
    text: 'Please enter a player name first',
  },
  NO_LOBBIES_FOUND: {
    httpStatus: 404,
    title: 'No Lobbies Found',
    text: 'Please create a lobby',
  },
  JOIN_FAILED: {
    httpStatus: 500,
    title: 'Error',
    text: 'Failed to join lobby. Please try again.',
  },
  SPECTATE_NEEDS_WALLET: {
    httpStatus: 401,
    title: 'Error',
    text: 'Please connect wallet to spectate',
  },
} as const satisfies ErrorDefinitions;
