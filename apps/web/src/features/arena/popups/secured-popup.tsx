import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { Lobby } from '@engulf/protocol/lobby';
import { RotateCcw } from 'lucide-react';
import { isFreeLobby } from '../../../shared/lobby-money.ts';
import { Amount } from '../../../ui/amount.tsx';
import { Button } from '../../../ui/button.tsx';
import type { GameEnd } from '../hud/hud-state.ts';
import { lobbyUnit } from '../lobby-unit.ts';
import { ARENA_TEXT } from '../text.ts';
import { EndActions, EndFact, EndFacts, EndLead, EndPopup } from './end-popup.tsx';
import { ExitArt } from './exit-art.tsx';
import styles from './secured-popup.module.css';

const { secured } = ARENA_TEXT;

type SecuredPopupProps = {
  end: GameEnd & { kind: 'secured' };
  lobby: Lobby;
  own: { name: string; avatarUrl: string | null };
  onClose: () => void;
  onPlayAgain: () => void;
};

export function SecuredPopup({ end, lobby, own, onClose, onPlayAgain }: SecuredPopupProps) {
  const unit = lobbyUnit(lobby);
  const isFree = isFreeLobby(lobby);
  const { amount, multiplier } = parseRewardText(end.reward);
  return (
    <EndPopup
      title={secured.title}
      heading={<span className={styles.title}>{secured.title}</span>}
      tint="gold"
      widthPx={620}
      art={<ExitArt {...own} />}
      artTopPx={-362}
      textTopPx={150}
      onClose={onClose}
    >
      <div className={styles.result}>
        {multiplier !== undefined && <div className={styles.multiplier}>x{multiplier}</div>}
        <div className={styles.profits}>
          {secured.profits}
          <b>
            +{amount} <small>{unit}</small>
          </b>
          <span>{secured.lobby(lobby.name)}</span>
        </div>
      </div>
      <EndLead>{leadOf(end, isFree)}</EndLead>
      <EndFacts>
        {end.usdValue !== null && <EndFact label={secured.usdValue}>{end.usdValue}</EndFact>}
        <EndFact label={secured.finalMass}>{Math.floor(end.finalMass).toLocaleString('en-US')}</EndFact>
        <EndFact label={secured.entryFee}>
          {isFree ? secured.free : <Amount figure={lobby.fee} unit={unit} />}
        </EndFact>
      </EndFacts>
      <EndActions>
        <Button size="lg" variant="primary" icon={<RotateCcw />} onClick={onPlayAgain}>
          {secured.playAgain}
        </Button>
      </EndActions>
    </EndPopup>
  );
}

function leadOf({ wasClosed }: { wasClosed: boolean }, isFree: boolean): string {
  if (wasClosed) return secured.leadClosed;
  return isFree ? secured.leadFree : secured.lead;
}
