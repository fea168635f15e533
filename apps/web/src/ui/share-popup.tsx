import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { SharedCard } from '../shared/share-winnings.ts';
import { TEXT } from '../shared/text.ts';
import { Button } from './button.tsx';
import { XGlyph } from './logo.tsx';
import { Popup, PopupActions } from './popup.tsx';
import styles from './share-popup.module.css';

/** The card as everybody sees it now. */
export function SharePopup({ card, onClose }: { card: SharedCard; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(card.pageUrl);
      setCopied(true);
    } catch {
      // Refused, or not there without https. The card itself is a link to the page.
    }
  };
  return (
    <Popup title={TEXT.share.title} isOpen onClose={onClose} size="wide">
      <a href={card.pageUrl} target="_blank" rel="noreferrer" aria-label={TEXT.share.open}>
        <img className={styles.card} src={card.imageUrl} alt={TEXT.share.picture} />
      </a>
      <PopupActions>
        <Button size="lg" icon={isCopied ? <Check /> : <Copy />} onClick={copy}>
          {isCopied ? TEXT.share.copied : TEXT.share.copy}
        </Button>
        <Button
          size="lg"
          variant="primary"
          icon={<XGlyph />}
          onClick={() => window.open(card.postUrl, '_blank', 'noopener')}
        >
          {TEXT.share.onX}
        </Button>
      </PopupActions>
    </Popup>
  );
}
