import { prefersReducedMotion } from '../../shared/appearance.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import styles from './guide-popup.module.css';

const RULES = ['move', 'eat', 'split', 'eject', 'virus', 'portal'] as const;

/** How the game is played: a match as a film (npm run record makes it), and the rules. */
export function GuidePopup({ onClose }: { onClose: () => void }) {
  return (
    <Popup title={TEXT.guide.title} isOpen onClose={onClose} size="wide">
      <PopupLead>{TEXT.guide.lead}</PopupLead>
      <div className={styles.guide}>
        <video
          className={styles.film}
          src="/how-to-play.webm"
          poster="/how-to-play.jpg"
          aria-label={TEXT.guide.film}
          width={720}
          height={406}
          autoPlay={!prefersReducedMotion()}
          controls
          loop
          muted
          playsInline
        />
        <ul className={styles.rules}>
          {RULES.map((rule) => (
            <li key={rule}>
              <h3 className={styles.name}>{TEXT.guide.rules[rule].name}</h3>
              <p className={styles.text}>{TEXT.guide.rules[rule].text}</p>
            </li>
          ))}
        </ul>
      </div>
      <PopupActions>
        <Button size="lg" variant="primary" autoFocus onClick={onClose}>
          {TEXT.guide.close}
        </Button>
      </PopupActions>
    </Popup>
  );
}
