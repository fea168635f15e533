import type { ArenaViewProps } from '../arena-visit.ts';
import { useHud } from '../hud/hud-store.ts';
import { lobbyUnit } from '../lobby-unit.ts';
import { DisconnectedPopup } from './refund-popups.tsx';
import { RektPopup } from './rekt-popup.tsx';
import { SecuredPopup } from './secured-popup.tsx';

/** The popup that fits how the game ended. */
export function EndOfGame({ session, user, onExit, onPlayAgain, onSpectate }: ArenaViewProps) {
  const end = useHud((hud) => hud.end);
  const { lobby } = session;
  switch (end?.kind) {
    case undefined:
      return null;
    case 'rekt':
      return (
        <RektPopup
          end={end}
          unit={lobbyUnit(lobby)}
          own={user}
          onClose={() => onExit()}
          onPlayAgain={onPlayAgain}
          onSpectate={onSpectate}
        />
      );
    case 'secured':
      return (
        <SecuredPopup end={end} lobby={lobby} own={user} onClose={() => onExit()} onPlayAgain={onPlayAgain} />
      );
    case 'disconnected':
      return (
        <DisconnectedPopup
          lobby={lobby}
          own={user}
          onClose={() => onExit()}
          onViewRefund={() => onExit('games')}
        />
      );
  }
}
