import { Button } from '../../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../../ui/popup.tsx';
import { ARENA_TEXT } from '../text.ts';
import { RefundNote } from './refund-note.tsx';

const { forfeit } = ARENA_TEXT;

type ForfeitPopupProps = { isOpen: boolean; isPaid: boolean; onCancel: () => void; onConfirm: () => void };

export function ForfeitPopup({ isOpen, isPaid, onCancel, onConfirm }: ForfeitPopupProps) {
  return (
    <Popup title={forfeit.title} isOpen={isOpen} onClose={onCancel} hasCross={false}>
      <PopupLead>{forfeit.lead}</PopupLead>
      {isPaid && <RefundNote />}
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
