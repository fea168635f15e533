import type { ErrorDefinitions } from './result.ts';

/** '2026-11-16 14:05 UTC', rounded up to a whole minute: nobody comes back too early. */
function utcText(iso: string): string {
  const minutes = Math.ceil(Date.parse(iso) / 60_000);
  return `${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export const JOIN_ERRORS = {
  /** The player is in a match. */
  ACTIVE_SESSION_EXISTS: {
    httpStatus: 409,
    title: 'Multiple Session Detected',
    text: 'You are already in a game.',
  },
  /** The player holds a seat but has not started to play. */
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
  ADDRESS_SEATS_LIMIT: {
    httpStatus: 409,
    title: 'Lobby Full',
    text: 'Several players from your network are in this lobby already. Try another one, or wait until one of them is done.',
  },
  ADDRESS_ACCOUNTS_LIMIT: {
    httpStatus: 409,
    title: 'Lobby Full',
    text: 'As many accounts of your network as this lobby allows are in it already.',
  },
  ACCOUNT_TOO_NEW: {
    httpStatus: 403,
    title: 'Not Yet',
    text: ({ days, games }: { days: number | null; games: number | null }) =>
      `This lobby is for accounts ${[
        ...(days === null ? [] : [`that are at least ${days} days old`]),
        ...(games === null ? [] : [`that have played ${games} free games`]),
      ].join(' or ')}.`,
  },
  KEPT_APART: {
    httpStatus: 403,
    title: 'Not In This Lobby Now',
    text: 'Somebody is in this lobby with whom you may not play for money, because of a decision about fair play. Choose another lobby, or ask us about it.',
  },
  REPORTS_LIMIT: {
    httpStatus: 429,
    title: 'Too Many Reports',
    text: 'You have reported many players today. Please go on tomorrow.',
  },
  REPORT_NOT_POSSIBLE: {
    httpStatus: 404,
    title: 'Not Reported',
    text: 'You can only report players whom you have met in that match.',
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
  UNPAID_SEATS_LIMIT: {
    httpStatus: 429,
    title: 'Too Many Attempts',
    text: ({ secondsLeft }: { secondsLeft: number }) =>
      `Too many seats were left unpaid. Try again in ${secondsLeft} s.`,
  },
  GATHERING_NOT_OFFERED: {
    httpStatus: 409,
    title: 'Enough Players',
    text: 'Others play in this lobby already. Pay and play with them.',
  },
  /** After a call that was not followed by a payment. */
  GATHERING_BARRED: {
    httpStatus: 429,
    title: 'You Missed a Call',
    text: ({ secondsLeft }: { secondsLeft: number }) =>
      `Others waited for you. You can gather again in ${secondsLeft} s.`,
  },
  GATHERERS_LIMIT: {
    httpStatus: 409,
    title: 'Enough of You',
    text: 'Several players from your network are waiting already.',
  },
  ENTRIES_PAUSED: {
    httpStatus: 503,
    title: 'Entries Paused',
    text: 'Paid entries are paused at the moment. Please try again later.',
  },
  /** The player's own wish. */
  ON_A_BREAK: {
    httpStatus: 403,
    title: 'You Are Taking a Break',
    text: ({ until }: { until: string }) =>
      `You asked for a break from paid lobbies. It ends on ${utcText(until)}. Free lobbies stay open to you.`,
  },
  /** The player's own limit. `until` is null if waiting does not help. */
  DEPOSIT_LIMIT_REACHED: {
    httpStatus: 403,
    title: 'Your Daily Limit',
    text: ({ limit, left, until }: { limit: string; left: string; until: string | null }) =>
      until === null
        ? `This entry costs more than the ${limit} you allow yourself in 24 hours.`
        : `You allow yourself ${limit} in 24 hours and have ${left} left. There is room for this entry from ${utcText(until)}.`,
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
    title: 'Wallet Needed',
    text: 'Please connect wallet to spectate',
  },
} as const satisfies ErrorDefinitions;

const title = 'Payment Failed';

export const PAYMENT_ERRORS = {
  WALLET_NOT_CONNECTED: { httpStatus: null, title, text: 'Please connect your wallet first' },
  PAYMENT_CANCELLED: {
    httpStatus: null,
    title: 'Payment Cancelled',
    text: 'Payment was cancelled. You can try again.',
  },
  PAYMENT_FAILED: { httpStatus: null, title, text: 'Payment failed. Please try again.' },
  INSUFFICIENT_FUNDS: { httpStatus: null, title, text: 'Insufficient SOL balance to join this lobby.' },
  INSUFFICIENT_TOKENS: {
    httpStatus: null,
    title,
    text: ({ symbol }: { symbol: string }) =>
      `Your wallet has too little ${symbol} to join this lobby. SOL alone is not enough here.`,
  },
  SIMULATION_FAILED: {
    httpStatus: null,
    title,
    text: 'Transaction simulation failed. Please check your balance and try again.',
  },
  BLOCKHASH_NOT_FOUND: { httpStatus: null, title, text: 'Network congestion. Please try again.' },
  TRANSACTION_ALREADY_PROCESSED: {
    httpStatus: null,
    title,
    text: 'Transaction already processed. Please wait a moment...',
  },
  UNKNOWN_PAYMENT_ERROR: { httpStatus: null, title, text: 'Unknown error occurred' },
  PAYMENT_SESSION_ID_MISSING: { httpStatus: null, title, text: 'No payment session ID received' },
  UNEXPECTED_STATUS: {
    httpStatus: null,
    title,
    text: ({ status }: { status: string }) => `Unexpected status: ${status}`,
  },
  TRANSACTION_SIGNATURE_MISSING: {
    httpStatus: null,
    title,
    text: 'No transaction signature received from Solana payment',
  },
  PAYMENT_POLLING_TIMEOUT: { httpStatus: null, title, text: 'Payment polling timeout' },
  PAYMENT_TIMEOUT: { httpStatus: 410, title, text: 'Payment session timed out' },
  PAYMENT_VERIFICATION_FAILED: { httpStatus: 422, title, text: 'Payment verification failed' },
  PAYMENT_SESSION_NOT_FOUND: { httpStatus: 404, title, text: 'This payment session does not exist.' },
  REWARD_POOL_ACCOUNT_MISMATCH: {
    httpStatus: null,
    title,
    text: 'Invalid reward pool token account in lobby config',
  },
  TREASURY_MISMATCH: { httpStatus: null, title, text: 'Platform treasury wallet mismatch' },
  SHARE_UPLOAD_FAILED: {
    httpStatus: null,
    title: 'Error',
    text: 'Upload failed. Check console for details.',
  },
  SHARE_FILE_INVALID: {
    httpStatus: 422,
    title: 'Error',
    text: 'The card must be a PNG picture of its size.',
  },
  SHARE_ENTRY_NOT_FOUND: { httpStatus: 404, title: 'Error', text: 'There is no such game of yours.' },
  SHARE_NOT_CASHED_OUT: {
    httpStatus: 409,
    title: 'Error',
    text: 'Only a game that you cashed out can be shared.',
  },
  ARENA_PROGRAM_MISMATCH: {
    httpStatus: null,
    title,
    text: 'The program named by the server does not run on this chain',
  },
  PLATFORM_FEE_MISMATCH: {
    httpStatus: null,
    title,
    text: 'The platform fee differs from the one shown. Please try again in a minute.',
  },
} as const satisfies ErrorDefinitions;
