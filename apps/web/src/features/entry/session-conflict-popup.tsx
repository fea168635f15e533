import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { useEffect, useState } from 'react';
import { serverNowMs } from '../../shared/server-clock.ts';
import { useLeftMatch } from '../../shared/stores/left-match.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import { sessionConflictTitle } from './entry-state.ts';
import styles from './session-conflict-popup.module.css';

type SessionConflictPopupProps = {
  conflict: SessionConflict;
  /** Over a match that runs in this window. */
  isOverMatch: boolean;
  onClose: () => void;
  /** Takes over the match that the player is in. */
  onReturn: () => void;
  /** Waits in this window for the payment that is being verified. */
  onResume: (payment: NonNullable<SessionConflict['payment']>) => void;
};

/** The player is in a game or a payment elsewhere. Closes by itself when that session expires. */
export function SessionConflictPopup(props: SessionConflictPopupProps) {
  const { conflict, isOverMatch, onClose, onReturn, onResume } = props;
  const { payment } = conflict;
  const [closesAtMs] = useState(() => closingTimeOf(conflict));
  const leftS = Math.max(0, Math.ceil((closesAtMs - useNow(250)) / 1_000));
  useEffect(() => {
    if (leftS === 0) onClose();
  }, [leftS, onClose]);

  return (
    <Popup title={sessionConflictTitle(conflict)} isOpen onClose={onClose} hasCross={false}>
      <PopupLead>{[conflict.message, conflict.instruction].filter(Boolean).join(' ')}</PopupLead>
      <div className={styles.countdown}>
        <span className={styles.label}>
          {conflict.isDisconnected ? TEXT.conflict.readyIn : TEXT.conflict.closesIn}
        </span>
        <span className={styles.seconds}>{TEXT.conflict.seconds(leftS)}</span>
      </div>
      <PopupActions>
        <Button size="lg" onClick={onClose}>
          {isOverMatch ? TEXT.cancel : TEXT.close}
        </Button>
        {conflict.sessionStatus === 'playing' && (
          <Button size="lg" variant="primary" onClick={onReturn}>
            {isOverMatch ? TEXT.conflict.takeOver : TEXT.conflict.returnToMatch}
          </Button>
        )}
        {payment && !isOverMatch && (
          <Button size="lg" variant="primary" onClick={() => onResume(payment)}>
            {TEXT.conflict.continuePayment}
          </Button>
        )}
      </PopupActions>
    </Popup>
  );
}

/** The page knows when it left a match; the server only knows that nobody is connected to it. */
function closingTimeOf({ sessionTTL, isDisconnected }: SessionConflict): number {
  const nowMs = serverNowMs();
  const expiresAtMs = nowMs + sessionTTL * 1_000;
  const { untilMs } = useLeftMatch.getState();
  return isDisconnected && untilMs > nowMs ? Math.min(untilMs, expiresAtMs) : expiresAtMs;
}
