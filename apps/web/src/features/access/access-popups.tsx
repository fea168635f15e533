import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { XGlyph } from '../../ui/logo.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './access-popups.module.css';
import { useAccessCode } from './use-access-code.ts';

type AccessCodePopupProps = {
  /** It opened because the player pressed Play. */
  isOnTheWay?: boolean | undefined;
  onClose: () => void;
  onGranted: () => void;
};

export function AccessCodePopup({ isOnTheWay = false, onClose, onGranted }: AccessCodePopupProps) {
  const { code, change, error, isChecking, submit } = useAccessCode(onGranted);
  return (
    <Popup title={TEXT.accessCode.title} isOpen onClose={onClose} isClosable={!isChecking}>
      <PopupLead>{isOnTheWay ? TEXT.accessCode.leadToPlay : TEXT.accessCode.lead}</PopupLead>
      <form onSubmit={submit} noValidate>
        <TextField
          className={styles.field}
          label={TEXT.accessCode.title}
          placeholder={TEXT.accessCode.placeholder}
          hint={TEXT.accessCode.hint}
          error={error}
          isCode
          value={code}
          disabled={isChecking}
          onChange={(event) => change(event.target.value)}
        />
        <PopupActions>
          <Button size="lg" disabled={isChecking} onClick={onClose}>
            {TEXT.cancel}
          </Button>
          <Button size="lg" variant="primary" type="submit" isBusy={isChecking}>
            {isChecking ? TEXT.accessCode.checking : TEXT.accessCode.unlock}
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}

type AccessGrantedPopupProps = {
  /** By an access code, or by winning the raffle. */
  by: 'code' | 'raffle';
  onClose: () => void;
};

export function AccessGrantedPopup({ by, onClose }: AccessGrantedPopupProps) {
  const share = () => {
    const post = new URLSearchParams({ text: TEXT.accessCode.sharePost, url: window.location.origin });
    window.open(`https://x.com/intent/post?${post}`, '_blank', 'noopener');
  };
  return (
    <Popup
      title={TEXT.accessCode.granted}
      isOpen
      onClose={onClose}
      crest={<img src="/mark.svg" width={128} height={128} alt="" />}
      crestPlace="above"
    >
      <PopupLead>{by === 'raffle' ? TEXT.raffle.wonLead : TEXT.accessCode.grantedLead}</PopupLead>
      <PopupActions>
        <Button size="lg" icon={<XGlyph />} onClick={share}>
          {TEXT.accessCode.share}
        </Button>
        <Button size="lg" variant="primary" autoFocus onClick={onClose}>
          {TEXT.accessCode.pickLobby}
        </Button>
      </PopupActions>
    </Popup>
  );
}
