import type { Lobby } from '@engulf/protocol/lobby';
import { ReceiptText } from 'lucide-react';
import { isFreeLobby } from '../../../shared/lobby-money.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { ARENA_TEXT } from '../text.ts';
import styles from './disconnected-popup.module.css';
import { EndActions, EndLead, EndPopup } from './end-popup.tsx';
import { LostArt } from './lost-art.tsx';
import { RefundNote } from './refund-note.tsx';

const { disconnected, secured, back } = ARENA_TEXT;

type DisconnectedPopupProps = {
  lobby: Lobby;
  own: { name: string; avatarUrl: string | null };
  onClose: () => void;
  onViewRefund: () => void;
};

/** Where nothing was paid there is nothing to refund, and nothing of the kind is said. */
export function DisconnectedPopup({ lobby, own, onClose, onViewRefund }: DisconnectedPopupProps) {
  return (
    <EndPopup
      title={disconnected.title}
      heading={<span className={styles.title}>{disconnected.title}</span>}
      tint="plain"
      widthPx={540}
      art={<LostArt {...own} />}
      artTopPx={-120}
      textTopPx={118}
      onClose={onClose}
    >
      {isFreeLobby(lobby) ? (
        <>
          <EndLead>{disconnected.noRefund}</EndLead>
          <EndActions>
            <Button size="lg" variant="primary" onClick={onClose}>
              {back}
            </Button>
          </EndActions>
        </>
      ) : (
        <>
          <div className={styles.refund}>
            <Spinner />
            <div>
              <b>{disconnected.refund}</b>
              <p>{secured.lobby(lobby.name)}</p>
            </div>
            <Chip tone="info">{disconnected.pending}</Chip>
          </div>
          <RefundNote />
          <EndActions>
            <Button size="lg" variant="primary" icon={<ReceiptText />} onClick={onViewRefund}>
              {disconnected.viewRefund}
            </Button>
          </EndActions>
        </>
      )}
    </EndPopup>
  );
}
