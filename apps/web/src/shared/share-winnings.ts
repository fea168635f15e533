import { SHARE_PAGE_PATH, shareWinnings } from '@engulf/protocol/http/share';
import { callApi } from './api/call-api.ts';
import { TEXT } from './text.ts';

/** A card that is public now. */
export type SharedCard = {
  readonly imageUrl: string;
  readonly pageUrl: string;
  /** Where the post about it is written. */
  readonly postUrl: string;
};

/** What is shared: the game just won, with the card as it was drawn here, or a game of the list. */
export type ShareRequest = { readonly preview: Blob } | { readonly entryId: string };

/** Undefined if it failed; the console says why. */
export async function shareCard(request: ShareRequest): Promise<SharedCard | undefined> {
  const form = new FormData();
  if ('preview' in request) form.append('file', request.preview, 'card.png');
  else form.append('entryId', request.entryId);
  const answer = await callApi(shareWinnings, { form });
  if (!answer.ok) {
    console.error('the card could not be shared', answer.error);
    return undefined;
  }
  const { url, key } = answer.value;
  const pageUrl = new URL(`${SHARE_PAGE_PATH}/${key}`, window.location.origin).href;
  const post = new URLSearchParams({ text: TEXT.share.post, url: pageUrl });
  return { imageUrl: new URL(url).pathname, pageUrl, postUrl: `https://x.com/intent/post?${post}` };
}
