import { House, Maximize, Play, Settings } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import type { Role } from '../input/actions.ts';
import { ACTIONS } from '../input/actions.ts';
import { ForfeitPopup } from '../popups/refund-popups.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { ARENA_TEXT } from '../text.ts';
import styles from './hud.module.css';

const { menu } = ARENA_TEXT;

export type ArenaDialog = 'menu' | 'settings' | 'forfeit';

type ArenaMenuProps = {
  role: Role;
  own: { name: string; avatarUrl: string | null };
  open: ArenaDialog | undefined;
  onOpen: (dialog: ArenaDialog | undefined) => void;
  onLeave: () => void;
};

/** The menu that Escape opens, and its dialogs. The game continues behind them. */
export function ArenaMenu({ role, own, open, onOpen, onLeave }: ArenaMenuProps) {
  const close = () => onOpen(undefined);
  return (
    <>
      <Popup title={menu.title} size="sm" isOpen={open === 'menu'} onClose={close}>
        <div className={styles.menu}>
          <Button size="lg" variant="primary" icon={<Play />} onClick={close}>
            {role === 'player' ? menu.resume : menu.spectating}
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
      <ForfeitPopup isOpen={open === 'forfeit'} onCancel={close} onConfirm={onLeave} />
    </>
  );
}

export function toggleFullscreen(): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  // Browsers may refuse; then nothing changes.
  change.catch(() => {});
}
