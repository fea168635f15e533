import type { ErrorDefinitions } from './definition.ts';

const error = 'Error';

export const ACCESS_ERRORS = {
  ACCESS_CODE_REQUIRED: { httpStatus: 400, title: error, text: 'Access code is required' },
  ACCESS_CODE_TOO_SHORT: {
    httpStatus: 400,
    title: error,
    text: 'Access code must be at least 3 characters',
  },
  ACCESS_CODE_TOO_LONG: { httpStatus: 400, title: error, text: 'Access code must be at most 6 characters' },
  ACCESS_CODE_INVALID: { httpStatus: 403, title: error, text: 'Access code is invalid' },
  ACCESS_ALREADY_GRANTED: { httpStatus: 409, title: error, text: 'You already have access' },
} as const satisfies ErrorDefinitions;

export const SOCIAL_ERRORS = {
  SOCIAL_CANCELLED: {
    httpStatus: null,
    title: 'Cancelled',
    text: 'User cancelled external social API authorization',
  },
  SOCIAL_RATE_LIMITED: {
    httpStatus: 429,
    title: 'Rate Limit',
    text: 'Rate limit exceeded. Try again later.',
  },
  SOCIAL_CONNECTION_FAILED: {
    httpStatus: 502,
    title: 'Connection failed',
    text: 'Failed to connect Twitter',
  },
  SOCIAL_ALREADY_CONNECTED: {
    httpStatus: 409,
    title: 'Account Exist',
    text: 'Twitter is already connected',
  },
  SOCIAL_NO_AUTHORIZATION_URL: {
    httpStatus: 502,
    title: 'Twitter Error',
    text: 'Failed to get Twitter authorization URL',
  },
} as const satisfies ErrorDefinitions;

export const TASK_ERRORS = {
  LOGIN_REQUIRED: { httpStatus: 401, title: error, text: 'Please login to continue.' },
  TASKS_LOAD_FAILED: { httpStatus: 500, title: error, text: 'Failed to load tasks' },
  TASK_COMPLETE_FAILED: { httpStatus: 500, title: error, text: 'Failed to complete task' },
  TASK_CONFIGURATION_INVALID: { httpStatus: 422, title: error, text: 'Invalid task configuration' },
  TASK_ID_MISSING: { httpStatus: 400, title: error, text: 'This task has no id' },
  TASK_TWEET_ID_MISSING: { httpStatus: 422, title: error, text: 'This task has no tweet to open' },
  TASK_GROUP_URL_MISSING: { httpStatus: 422, title: error, text: 'This task has no group to join' },
  TASK_FOLLOW_TARGET_MISSING: { httpStatus: 422, title: error, text: 'This task has no account to follow' },
  TASK_NOT_FOUND: { httpStatus: 404, title: error, text: 'This task does not exist' },
} as const satisfies ErrorDefinitions;

export const RAFFLE_ERRORS = {
  RAFFLE_ENTRY_FAILED: { httpStatus: 500, title: error, text: 'Failed to enter raffle' },
  RAFFLE_ALREADY_ENTERED: { httpStatus: 409, title: error, text: 'You have already entered the raffle' },
  RAFFLE_TASKS_INCOMPLETE: { httpStatus: 403, title: error, text: 'Complete all tasks to enter the raffle' },
} as const satisfies ErrorDefinitions;
