import type { ErrorDefinitions } from './result.ts';

/** Errors that any call may return. */
export const REQUEST_ERRORS = {
  NETWORK_ERROR: { httpStatus: null, title: 'Error', text: 'Network Error' },
  REQUEST_FAILED: { httpStatus: null, title: 'Error', text: 'Request failed' },
  HTTP_ERROR: {
    httpStatus: null,
    title: 'Error',
    text: ({ status, statusText }: { status: number; statusText: string }) => `HTTP ${status}: ${statusText}`,
  },
  UNAUTHENTICATED: {
    httpStatus: 401,
    title: 'Authentication Error',
    text: 'Please connect your wallet and try again',
  },
  SIGN_IN_REFUSED: {
    httpStatus: 401,
    title: 'Authentication Error',
    text: 'The sign-in could not be verified. Please sign again.',
  },
  USER_BANNED: {
    httpStatus: 403,
    title: 'Account Banned',
    text: 'This account is banned. Rewards that you are owed are still paid to your wallet.',
  },
  FORBIDDEN: { httpStatus: 403, title: 'Error', text: 'You are not allowed to do this.' },
  INVALID_REQUEST: { httpStatus: 400, title: 'Error', text: 'The request is not valid.' },
  NOT_FOUND: { httpStatus: 404, title: 'Error', text: 'This does not exist.' },
  PAYLOAD_TOO_LARGE: { httpStatus: 413, title: 'Error', text: 'The upload is too large.' },
  RATE_LIMITED: { httpStatus: 429, title: 'Rate Limit', text: 'Rate limit exceeded. Try again later.' },
  REGION_BLOCKED: { httpStatus: 451, title: 'Error', text: 'Not available in your region yet' },
  BETA_CLOSED: { httpStatus: 403, title: 'Error', text: 'Beta is closed' },
  MAINTENANCE: { httpStatus: 503, title: 'Error', text: 'Game is getting an upgrade' },
  FAUCET_REFUSED: {
    httpStatus: 400,
    title: 'Error',
    text: 'Test money could not be sent to this address. Please use the address of a wallet.',
  },
  SERVER_BUSY: {
    httpStatus: 503,
    title: 'Busy',
    text: 'Many people are asking at the same time. Please try again in a moment.',
  },
  CONSOLE_REFUSED: {
    httpStatus: 409,
    title: 'Refused',
    text: ({ reason }: { reason: string }) => reason,
  },
  CONSOLE_SIGNATURE_REFUSED: {
    httpStatus: 403,
    title: 'Not signed',
    text: 'The signature does not belong to this change, or came too late. Nothing was changed.',
  },
  INTERNAL_ERROR: { httpStatus: 500, title: 'Error', text: 'Something went wrong. Please try again.' },
} as const satisfies ErrorDefinitions;

/** Errors between the game room and a player in it. */
export const ROOM_ERRORS = {
  JOIN_TICKET_INVALID: {
    httpStatus: 401,
    title: 'Unauthorized',
    text: 'Go back to home and select lobby you want to play.',
  },
  DISCONNECTED: {
    httpStatus: null,
    title: 'Disconnected',
    text: 'You have been disconnected from the game due to network issues. Please try again.',
  },
  ROOM_CONNECTION_TIMEOUT: {
    httpStatus: null,
    title: 'Disconnected',
    text: 'Connection timeout after 45 seconds - returning to home',
  },
  INPUTS_NOT_CONFIRMED: {
    httpStatus: null,
    title: 'Inputs Not Confirmed',
    text: 'The signed inputs are not those that the room has recorded',
  },
  SESSION_ENDED: { httpStatus: 410, title: 'Session Ended', text: 'Your game session has ended' },
  KICKED: {
    httpStatus: 403,
    title: 'Session Ended',
    text: ({ reason }: { reason: string }) => `You have been kicked: ${reason}`,
  },
  KICKED_FROM_SERVER: {
    httpStatus: 403,
    title: 'Session Ended',
    text: ({ reason }: { reason: string }) => `Kicked from server: ${reason}`,
  },
  MATCH_NOT_FOUND: { httpStatus: 404, title: 'Not Found', text: 'There is no such match' },
  MATCH_NOT_ENDED: {
    httpStatus: 409,
    title: 'Not Yet',
    text: 'What was recorded is public ten minutes later',
  },
  PROTOCOL_MISMATCH: {
    httpStatus: 426,
    title: 'Update Required',
    text: 'A new version is out. Please refresh the page.',
  },
} as const satisfies ErrorDefinitions;

const title = 'Message error';

export const CHAT_ERRORS = {
  CHAT_NOT_SENT: { httpStatus: 400, title, text: 'Unable to send' },
  CHAT_SLOW_MODE: {
    httpStatus: 429,
    title,
    text: ({ seconds }: { seconds: number }) =>
      `The chat is busy. For now everybody can write once in ${seconds} seconds.`,
  },
  CHAT_EMPTY: { httpStatus: 400, title, text: 'A message needs some text' },
  CHAT_TOO_LONG: {
    httpStatus: 400,
    title,
    text: ({ maxLength }: { maxLength: number }) => `A message has at most ${maxLength} characters`,
  },
  CHAT_PRIVATE_FORMAT: { httpStatus: 400, title, text: 'Private message format: @username message' },
  CHAT_RECIPIENT_NOT_FOUND: {
    httpStatus: 404,
    title,
    text: ({ name }: { name: string }) => `There is no player called ${name} here`,
  },
  CHAT_COMMAND_FORBIDDEN: { httpStatus: 403, title, text: 'Only admins can use commands' },
  CHAT_COMMAND_INVALID: {
    httpStatus: 400,
    title,
    text: 'Commands: /clear, /kick username, /announce message',
  },
  CHAT_CLOSED: { httpStatus: 503, title, text: 'Chat is switched off' },
  CHAT_MUTED: {
    httpStatus: 403,
    title,
    text: ({ minutes }: { minutes: number }) =>
      `You were kicked. You can write again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  },
  CHAT_MESSAGE_NOT_FOUND: { httpStatus: 404, title, text: 'This message does not exist any more' },
} as const satisfies ErrorDefinitions;
