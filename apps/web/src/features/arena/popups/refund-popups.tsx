import type { GameHistoryRow } from '@engulf/protocol/http/dashboard';
import type { Lobby } from '@engulf/protocol/lobby';
import { CircleCheck, ReceiptText } from 'lucide-react';
import { useCallback } from 'react';
import { ArtCanvas, usePictures } from '../../../art/art-canvas.tsx';
import { defaultAvatarUrl } from '../../../art/default-avatar.ts';
import { drawCell } from '../../../art/draw-cell.ts';
import { disc } from '../../../art/paint.ts';
import { usePlatformFeeBasisPoints } from '../../../shared/api/queries.ts';
import { isFreeLobby } from '../../../shared/lobby-money.ts';
import { HOW_TO_PLAY_PATH } from '../../../shared/pages.ts';
import { Button, Spinner } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Popup, PopupActions, PopupLead } from '../../../ui/popup.tsx';
import { ARENA_TEXT } from '../text.ts';
import { EndLead, EndPopup } from './end-popup.tsx';
import { type LeaveTerms, leaveTerms } from './leave-terms.ts';
import styles from './refund-popups.module.css';

const { disconnected, secured, back } = ARENA_TEXT;

type DisconnectedPopupProps = {
  lobby: Lobby;
  own: { name: string; avatarUrl: string | null };
  wasHidden: boolean;
  /** Undefined until it is decided. */
  refund: GameHistoryRow | undefined;
  onClose: () => void;
  onViewRefund: () => void;
};

/** In a free lobby it does not mention a refund. */
export function DisconnectedPopup(props: DisconnectedPopupProps) {
  const { lobby, own, wasHidden, refund, onClose, onViewRefund } = props;
  const isPaid = refund?.status === 'completed';
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
          <EndLead>{wasHidden ? disconnected.hidden : disconnected.noRefund}</EndLead>
          <PopupActions>
            <Button size="lg" variant="primary" onClick={onClose}>
              {back}
            </Button>
          </PopupActions>
        </>
      ) : (
        <>
          {wasHidden && <EndLead>{disconnected.hidden}</EndLead>}
          <div className={styles.refund}>
            {isPaid ? <CircleCheck strokeWidth={2.25} /> : <Spinner />}
            <div role="status">
              <b>{isPaid ? disconnected.refunded : disconnected.refund}</b>
              <p>{secured.lobby(lobby.name)}</p>
            </div>
            <Chip tone={isPaid ? 'neutral' : 'info'}>
              {isPaid
                ? disconnected.paid(`${refund.amountText} ${refund.tokenSymbol}`)
                : disconnected.pending}
            </Chip>
          </div>
          {!isPaid && <RefundNote />}
          <PopupActions>
            <Button size="lg" variant="primary" icon={<ReceiptText />} onClick={onViewRefund}>
              {disconnected.viewRefund}
            </Button>
          </PopupActions>
        </>
      )}
    </EndPopup>
  );
}

const { forfeit } = ARENA_TEXT;

type ForfeitPopupProps = {
  lobby: Lobby;
  /** What the player has at this moment. */
  carried: { readonly reward: string | undefined; readonly mass: number | undefined };
  onCancel: () => void;
  onConfirm: () => void;
};

export function ForfeitPopup({ lobby, carried, onCancel, onConfirm }: ForfeitPopupProps) {
  const platformFeeBasisPoints = usePlatformFeeBasisPoints();
  const terms = leaveTerms({ lobby, ...carried, platformFeeBasisPoints });
  return (
    <Popup title={forfeit.title} isOpen onClose={onCancel} hasCross={false}>
      <PopupLead>{forfeit.lead}</PopupLead>
      {terms && <Terms terms={terms} />}
      {!isFreeLobby(lobby) && <RefundNote />}
      <PopupActions isEven>
        <Button size="lg" onClick={onCancel}>
          {forfeit.cancel}
        </Button>
        <Button size="lg" variant="danger" onClick={onConfirm}>
          {forfeit.confirm}
        </Button>
      </PopupActions>
    </Popup>
  );
}

function Terms({ terms: { isPlayMoney, refund, givenUp, staysSeconds } }: { terms: LeaveTerms }) {
  return (
    <>
      <dl className={styles.terms}>
        <dt>{forfeit.refund}</dt>
        <dd>{isPlayMoney ? forfeit.nothing : refund}</dd>
        <dt>{forfeit.givenUp}</dt>
        <dd>{isPlayMoney ? `${givenUp}, ${ARENA_TEXT.playMoney}` : givenUp}</dd>
      </dl>
      <p className={styles.note}>{forfeit.stays(staysSeconds)}</p>
    </>
  );
}

function RefundNote() {
  const { note, docs } = ARENA_TEXT.disconnected;
  return (
    <p className={styles.note}>
      {note}{' '}
      <a className={styles.docs} href={HOW_TO_PLAY_PATH} target="_blank" rel="noreferrer">
        {docs}
      </a>
    </p>
  );
}

const WIDTH_PX = 400;
const HEIGHT_PX = 230;
const CENTRE = { x: 200, y: 122 } as const;
const GREY = ['#7C8A85', '#4A5753'] as const;
const INFO = '#6CC0FF';
const ON_INFO = '#021B2E';

/** The player's cell, greyed out, with a no-signal badge. */
function LostArt({ name, avatarUrl }: { name: string; avatarUrl: string | null }) {
  const pictures = usePictures([avatarUrl ?? defaultAvatarUrl(name)]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const { x, y } = CENTRE;
      const image = pictures?.[0];
      drawCell(context, {
        x,
        y,
        r: 86,
        colours: GREY,
        seed: 3,
        ...(image && { nucleus: { image, share: 0.5 } }),
      });
      context.setLineDash([14, 12]);
      context.lineWidth = 4;
      context.strokeStyle = INFO;
      context.beginPath();
      context.arc(x, y, 104, 0, 2 * Math.PI);
      context.stroke();
      context.setLineDash([]);
      drawNoSignal(context, x + 74, y + 62);
    },
    [pictures],
  );
  return <ArtCanvas widthPx={WIDTH_PX} heightPx={HEIGHT_PX} draw={draw} />;
}

function drawNoSignal(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.fillStyle = '#0A1211';
  disc(context, x, y, 31);
  context.fillStyle = INFO;
  disc(context, x, y, 26);
  context.strokeStyle = ON_INFO;
  context.lineWidth = 4;
  context.lineCap = 'round';
  for (const r of [7, 14]) {
    context.beginPath();
    context.arc(x, y + 9, r, -2.36, -0.78);
    context.stroke();
  }
  context.fillStyle = ON_INFO;
  disc(context, x, y + 10, 3);
  context.beginPath();
  context.moveTo(x - 13, y + 12);
  context.lineTo(x + 13, y - 12);
  context.stroke();
}
