import { useState } from 'react';
import { REPORT_REASONS, report } from '../shared/report-player.ts';
import { useSetting } from '../shared/settings.ts';
import { isSilenced, setSilenced } from '../shared/silenced.ts';
import { TEXT } from '../shared/text.ts';
import { Button } from './button.tsx';
import { Popup, PopupLead } from './popup.tsx';
import styles from './report-popup.module.css';
import { showToast } from './toast.tsx';

type ReportPopupProps = {
  player: string;
  /** Null: the match that the user entered last. */
  matchId: string | null;
  onClose: () => void;
};

/** Reports a player; what for is the only question. Or only silences it in this browser. */
export function ReportPopup({ player, matchId, onClose }: ReportPopupProps) {
  useSetting('silenced');
  const isQuiet = isSilenced(player);
  const [isSending, setSending] = useState(false);
  const send = async (reason: (typeof REPORT_REASONS)[number]) => {
    setSending(true);
    const { isDone, title, text } = await report(player, matchId, reason);
    showToast(isDone ? 'profit' : 'danger', { title, text });
    onClose();
  };
  return (
    <Popup title={TEXT.report.title(player)} isOpen onClose={onClose} size="sm">
      <PopupLead>{TEXT.report.lead}</PopupLead>
      <div className={styles.reasons}>
        {REPORT_REASONS.map((reason) => (
          <Button key={reason} disabled={isSending} onClick={() => void send(reason)}>
            {TEXT.report.reasons[reason]}
          </Button>
        ))}
      </div>
      <p className={styles.silence}>
        {isQuiet ? TEXT.report.silenced : TEXT.report.silenceNote}{' '}
        <button type="button" className={styles.toggle} onClick={() => setSilenced(player, !isQuiet)}>
          {isQuiet ? TEXT.report.hear : TEXT.report.silence}
        </button>
      </p>
    </Popup>
  );
}
