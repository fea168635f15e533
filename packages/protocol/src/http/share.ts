import { z } from 'zod';
import { type HttpCall, perMinute } from './call.ts';

/** What a card may weigh before it is looked at. */
export const SHARE_CARD_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Shares a cash-out of the caller. The body is a form with a `file`, the card as PNG, for the latest cash-out, or with an
 * `entryId` for a certain one. A file is checked but not kept: the server draws the card from its own books. Sharing the
 * same game again gives the same key.
 */
export const shareWinnings = {
  method: 'POST',
  path: '/api/upload',
  answer: z.object({
    /** Where the picture is. */
    url: z.url(),
    /** Of the public page, `/winningshare/<key>`. */
    key: z.string(),
  }),
  limit: perMinute(10),
} as const satisfies HttpCall;

export const SHARE_PAGE_PATH = '/winningshare';
