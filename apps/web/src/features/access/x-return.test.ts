import { expect, test } from 'vitest';
import { describeXFailure } from './x-return.ts';

const refusal = { body: undefined, message: '' };

test.each([
  [429, 'RATE_LIMITED', 'Rate Limit', 'Rate limit exceeded. Try again later.'],
  [429, 'SOCIAL_RATE_LIMITED', 'Rate Limit', 'Rate limit exceeded. Try again later.'],
  [409, 'SOCIAL_ALREADY_CONNECTED', 'Account Exist', 'Twitter is already connected'],
  [502, 'SOCIAL_CONNECTION_FAILED', 'Connection failed', 'Failed to connect Twitter'],
  [null, 'NETWORK_ERROR', 'Connection failed', 'Failed to connect Twitter'],
])('status %s with %s reads: %s', (httpStatus, code, title, text) => {
  expect(describeXFailure({ ...refusal, httpStatus, code })).toMatchObject({ title, text });
});

test('the message of the server comes first', () => {
  const failed = { ...refusal, code: 'SOCIAL_CONNECTION_FAILED', httpStatus: 502, message: 'X is down' };
  expect(describeXFailure(failed).text).toBe('X is down');
});
