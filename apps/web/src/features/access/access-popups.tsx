import { describeFailure, ERRORS } from '@engulf/domain/errors/registry';
import { ACCESS_CODE_LENGTH, validateAccessCode } from '@engulf/domain/ids/access-code';
import { submitReferral } from '@engulf/protocol/user';
import { type FormEvent, useState } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { XGlyph } from '../../ui/logo.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import styles from './access-popups.module.css';

type AccessCodePopupProps = { onClose: () => void; onGranted: () => void };

export function AccessCodePopup({ onClose, onGranted }: AccessCodePopupProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isChecking, setChecking] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = validateAccessCode(code);
    if (!checked.ok) {
      setError(describeFailure(checked.error).text);
      return;
    }
    setChecking(true);
    const answer = await callApi(submitReferral, { body: { code: checked.value } });
    setChecking(false);
    if (!answer.ok) {
      setError(answer.error.message || ERRORS.ACCESS_CODE_INVALID.text);
      return;
    }
    showToast('profit', { title: TEXT.accessCode.granted });
    onGranted();
  };

  return (
    <Popup title={TEXT.accessCode.title} isOpen onClose={onClose} isClosable={!isChecking}>
      <PopupLead>{TEXT.accessCode.lead}</PopupLead>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          className={styles.field}
          label={TEXT.accessCode.title}
          placeholder={TEXT.accessCode.placeholder}
          error={error}
          isCode
          value={code}
          maxLength={ACCESS_CODE_LENGTH.max}
          disabled={isChecking}
          onChange={(event) => {
            setError(undefined);
            setCode(event.target.value);
          }}
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

export function AccessGrantedPopup({ onClose }: { onClose: () => void }) {
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
      <PopupLead>{TEXT.accessCode.grantedLead}</PopupLead>
      <PopupActions>
        <Button size="lg" icon={<XGlyph />} onClick={share}>
          {TEXT.accessCode.share}
        </Button>
        <Button size="lg" variant="primary" onClick={onClose}>
          {TEXT.accessCode.pickLobby}
        </Button>
      </PopupActions>
    </Popup>
  );
}
