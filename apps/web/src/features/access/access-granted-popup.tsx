import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import { XGlyph } from '../../ui/x-glyph.tsx';

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
