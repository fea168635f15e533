import type { Lobby } from '@engulf/protocol/lobby';
import { House, Link2, Maximize, Play, Settings } from 'lucide-react';
import { TEXT } from '../../../shared/text.ts';
import { Button } from '../../../ui/button.tsx';
import { copyInvite } from '../../../ui/copy-invite.ts';
import { Popup } from '../../../ui/popup.tsx';
import type { Role } from '../input/actions.ts';
import { ACTIONS } from '../input/actions.ts';
import { ForfeitPopup } from '../popups/refund-popups.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { ARENA_TEXT } from '../text.ts';
import styles from './hud.module.css';
import { useHud } from './hud-store.ts';

const { menu } = ARENA_TEXT;

export type ArenaDialog = 'menu' | 'settings' | 'forfeit';

type ArenaMenuProps = {
  role: Role;
  lobby: Lobby;
  own: { name: string; avatarUrl: string | null };
  open: ArenaDialog | undefined;
  onOpen: (dialog: ArenaDialog | undefined) => void;
  onLeave: () => void;
};

/** The menu that Escape opens, and its dialogs. The game continues behind them. */
export function ArenaMenu({ role, lobby, own, open, onOpen, onLeave }: ArenaMenuProps) {
  const close = () => onOpen(undefined);
  return (
    <>
      <Popup title={menu.title} size="sm" isOpen={open === 'menu'} onClose={close}>
        <div className={styles.menu}>
          <Button size="lg" variant="primary" icon={<Play />} onClick={close}>
            {role === 'player' ? menu.resume : menu.spectating}
          </Button>
          <Button size="lg" icon={<Link2 />} onClick={() => void copyInvite(lobby)}>
            {TEXT.entry.invite}
          </Button>
          <Button size="lg" icon={<Settings />} onClick={() => onOpen('settings')}>
            {ACTIONS.settings.label}
          </Button>
          <Button size="lg" icon={<Maximize />} onClick={toggleFullscreen}>
            {ACTIONS.fullscreen.label}
          </Button>
          <Button
            size="lg"
            icon={<House />}
            onClick={() => (role === 'player' ? onOpen('forfeit') : onLeave())}
          >
            {role === 'player' ? ARENA_TEXT.returnHome : ARENA_TEXT.back}
          </Button>
        </div>
      </Popup>
      <SettingsDialog own={own} isOpen={open === 'settings'} onClose={close} />
      {open === 'forfeit' && <Forfeit lobby={lobby} onCancel={close} onConfirm={onLeave} />}
    </>
  );
}

/** Follows what the player carries while it is open. */
function Forfeit(props: { lobby: Lobby; onCancel: () => void; onConfirm: () => void }) {
  const reward = useHud((hud) => hud.sight.reward);
  const mass = useHud((hud) => hud.sight.mass);
  return <ForfeitPopup {...props} carried={{ reward, mass }} />;
}

export function toggleFullscreen(): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  // Browsers may refuse; then nothing changes.
  change.catch(() => {});
}
