import type { ErrorDefinitions } from './result.ts';

const error = 'Error';
const invalidUsername = 'Invalid Username';

export const PROFILE_ERRORS = {
  PROFILE_UPDATE_FAILED: { httpStatus: 500, title: error, text: 'Failed to update profile details' },
  USERNAME_REQUIRED: { httpStatus: 400, title: invalidUsername, text: 'Username is required' },
  USERNAME_MALFORMED: {
    httpStatus: 400,
    title: invalidUsername,
    text: 'Username must be 3–10 characters long, and can only contain letters, numbers, - or _',
  },
  USERNAME_INAPPROPRIATE: {
    httpStatus: 400,
    title: invalidUsername,
    text: 'Username contains inappropriate content',
  },
  USERNAME_TAKEN: { httpStatus: 409, title: invalidUsername, text: 'Username is already taken' },
  AVATAR_UPDATE_FAILED: { httpStatus: 500, title: error, text: 'Failed to update avatar' },
  AVATAR_WRONG_TYPE: { httpStatus: 415, title: error, text: 'Only PNG or JPG images are allowed.' },
  AVATAR_TOO_HEAVY: {
    httpStatus: 413,
    title: error,
    text: ({ maxMegabytes }: { maxMegabytes: number }) => `Image must be less than ${maxMegabytes} MB`,
  },
  AVATAR_TOO_SMALL: {
    httpStatus: 422,
    title: error,
    text: ({ minPx }: { minPx: number }) => `Image must be greater than ${minPx} x ${minPx} pixels.`,
  },
  AVATAR_TOO_BIG: {
    httpStatus: 422,
    title: error,
    text: ({ maxPx }: { maxPx: number }) => `Image must be less than ${maxPx} x ${maxPx} pixels.`,
  },
  AVATAR_CANNOT_PROCESS: { httpStatus: null, title: error, text: 'Cannot process image' },
  AVATAR_PROCESSING_FAILED: { httpStatus: 500, title: error, text: 'Failed to process image' },
  AVATAR_INVALID_FILE: { httpStatus: 422, title: error, text: 'Invalid image file' },
} as const satisfies ErrorDefinitions;

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
