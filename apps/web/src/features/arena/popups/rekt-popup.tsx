import { Eye, RotateCcw } from 'lucide-react';
import { Amount } from '../../../ui/amount.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import type { GameEnd } from '../hud/hud-state.ts';
import { ARENA_TEXT } from '../text.ts';
import { BurstArt } from './burst-art.tsx';
import { EndActions, EndFact, EndFacts, EndPopup } from './end-popup.tsx';
import styles from './rekt-popup.module.css';

const { rekt } = ARENA_TEXT;

type RektPopupProps = {
  end: GameEnd & { kind: 'rekt' };
  unit: string;
  own: { name: string; avatarUrl: string | null };
  onClose: () => void;
  onPlayAgain: () => void;
  onSpectate: () => void;
};

export function RektPopup({ end, unit, own, onClose, onPlayAgain, onSpectate }: RektPopupProps) {
  return (
    <EndPopup
      title={rekt.title}
      heading={<span className={styles.word}>{rekt.title}</span>}
      tint="red"
      widthPx={600}
      art={<BurstArt {...own} />}
      artTopPx={-196}
      textTopPx={186}
      onClose={onClose}
    >
      <p className={styles.lead}>{rekt.lead}</p>
      <EndFacts>
        {end.eatenBy !== undefined && (
          <EndFact label={rekt.eatenBy}>
            <Avatar name={end.eatenBy} url={null} />
            {end.eatenBy}
          </EndFact>
        )}
        {end.bagLost !== undefined && (
          <EndFact label={rekt.bagLost}>
            <Amount figure={end.bagLost} unit={unit} tone="danger" />
          </EndFact>
        )}
        <EndFact label={rekt.finalMass}>{Math.floor(end.finalMass).toLocaleString('en-US')}</EndFact>
      </EndFacts>
      <EndActions>
        <Button size="lg" icon={<Eye />} onClick={onSpectate}>
          {rekt.spectate}
        </Button>
        <Button size="lg" variant="primary" icon={<RotateCcw />} onClick={onPlayAgain}>
          {rekt.playAgain}
        </Button>
      </EndActions>
    </EndPopup>
  );
}
