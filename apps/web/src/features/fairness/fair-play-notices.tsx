import { useEffect, useState } from 'react';
import { fetchNotices, noticesRead } from '../../shared/report-player.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';

/** A warning of the operator, and what came of the user's reports. */
export function FairPlayNotices() {
  const [notices, setNotices] = useState({ warnings: 0, acted: 0, dismissed: 0 });
  useEffect(() => {
    let isGone = false;
    void fetchNotices().then((found) => {
      if (!isGone) setNotices(found);
    });
    return () => {
      isGone = true;
    };
  }, []);
  const { warnings, acted, dismissed } = notices;
  if (warnings + acted + dismissed === 0) return null;
  const close = () => {
    setNotices({ warnings: 0, acted: 0, dismissed: 0 });
    void noticesRead();
  };
  const { fairPlay } = TEXT;
  return (
    <Popup title={fairPlay.title} isOpen onClose={close} size="sm">
      {warnings > 0 && <PopupLead>{fairPlay.warning}</PopupLead>}
      {acted > 0 && <PopupLead>{fairPlay.acted(acted)}</PopupLead>}
      {dismissed > 0 && <PopupLead>{fairPlay.dismissed(dismissed)}</PopupLead>}
      <PopupActions>
        <Button onClick={() => window.open('/integrity', '_blank', 'noopener')}>{fairPlay.rules}</Button>
        <Button variant="primary" onClick={close}>
          {fairPlay.read}
        </Button>
      </PopupActions>
    </Popup>
  );
}
