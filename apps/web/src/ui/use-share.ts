import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { useState } from 'react';
import { type SharedCard, type ShareRequest, shareCard } from '../shared/share-winnings.ts';
import { showToast } from './toast.tsx';

/** Shares a card and opens the post about it. A browser that blocks the window still has the popup's own link. */
export function useShare() {
  const [isSharing, setSharing] = useState(false);
  const [shared, setShared] = useState<SharedCard>();
  const share = async (prepare: () => ShareRequest | Promise<ShareRequest>) => {
    setSharing(true);
    const card = await attempt(prepare);
    setSharing(false);
    if (!card) return showToast('danger', describeFailure(failure('SHARE_UPLOAD_FAILED')));
    setShared(card);
    window.open(card.postUrl, '_blank', 'noopener');
  };
  return { isSharing, shared, share, close: () => setShared(undefined) };
}

async function attempt(prepare: () => ShareRequest | Promise<ShareRequest>): Promise<SharedCard | undefined> {
  try {
    return await shareCard(await prepare());
  } catch (error) {
    console.error('the card could not be drawn', error);
    return undefined;
  }
}
