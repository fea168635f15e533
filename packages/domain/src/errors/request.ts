import type { ErrorDefinitions } from './definition.ts';

/** What can go wrong with any call, whatever it asks for. */
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
  FORBIDDEN: { httpStatus: 403, title: 'Error', text: 'You are not allowed to do this.' },
  INVALID_REQUEST: { httpStatus: 400, title: 'Error', text: 'The request is not valid.' },
  NOT_FOUND: { httpStatus: 404, title: 'Error', text: 'This does not exist.' },
  PAYLOAD_TOO_LARGE: { httpStatus: 413, title: 'Error', text: 'The upload is too large.' },
  RATE_LIMITED: { httpStatus: 429, title: 'Rate Limit', text: 'Rate limit exceeded. Try again later.' },
  REGION_BLOCKED: { httpStatus: 451, title: 'Error', text: 'Not available in your region yet' },
  BETA_CLOSED: { httpStatus: 403, title: 'Error', text: 'Beta is closed' },
  MAINTENANCE: { httpStatus: 503, title: 'Error', text: 'Game is getting an upgrade' },
  INTERNAL_ERROR: { httpStatus: 500, title: 'Error', text: 'Something went wrong. Please try again.' },
} as const satisfies ErrorDefinitions;
