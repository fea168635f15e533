import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { prefersReducedMotion } from '../../shared/appearance.ts';
import { HOW_TO_PLAY_PATH } from '../../shared/pages.ts';
import { TEXT } from '../../shared/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import styles from './guide-popup.module.css';

const RULES = ['move', 'eat', 'split', 'eject', 'virus', 'portal'] as const;

/** As the player has bound them. */
type Keys = { readonly split: string; readonly eject: string };

/** How the game is played: a match as a film (npm run record makes it), and the rules. */
export function GuidePopup({ keys, onClose }: { keys: Keys; onClose: () => void }) {
  return (
    <Popup title={TEXT.guide.title} isOpen onClose={onClose} size="wide">
      <PopupLead>{TEXT.guide.lead}</PopupLead>
      <div className={styles.guide}>
        <Film />
        <ul className={styles.rules}>
          {RULES.map((rule) => (
            <li key={rule}>
              <h3 className={styles.name}>{nameOf(rule, keys)}</h3>
              <p className={styles.text}>{TEXT.guide.rules[rule].text}</p>
            </li>
          ))}
        </ul>
      </div>
      <p className={styles.more}>
        {TEXT.guide.more}{' '}
        <a href={HOW_TO_PLAY_PATH} target="_blank" rel="noreferrer">
          {TEXT.guide.allRules}
        </a>
      </p>
      <PopupActions>
        <Button size="lg" variant="primary" autoFocus onClick={onClose}>
          {TEXT.guide.close}
        </Button>
      </PopupActions>
    </Popup>
  );
}

function Film() {
  const ref = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const toggle = () => {
    if (isPlaying) ref.current?.pause();
    else void ref.current?.play();
  };
  return (
    <div className={styles.frame}>
      <video
        ref={ref}
        className={styles.film}
        src="/how-to-play.webm"
        poster="/how-to-play.jpg"
        aria-label={TEXT.guide.film}
        width={720}
        height={406}
        autoPlay={!prefersReducedMotion()}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        loop
        muted
        playsInline
      />
      <IconButton
        className={styles.toggle}
        label={isPlaying ? TEXT.guide.pause : TEXT.guide.start}
        icon={isPlaying ? <Pause /> : <Play />}
        onClick={toggle}
      />
    </div>
  );
}

function nameOf(rule: (typeof RULES)[number], keys: Keys): string {
  const { name } = TEXT.guide.rules[rule];
  if (typeof name === 'string') return name;
  return name(rule === 'split' ? keys.split : keys.eject);
}
