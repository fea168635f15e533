import type { ErrorDefinitions } from './definition.ts';

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
