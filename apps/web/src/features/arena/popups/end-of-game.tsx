import { useEffect, useState } from 'react';
import { lobbyUnit } from '../../../shared/lobby-money.ts';
import type { ArenaViewProps } from '../arena-visit.ts';
import type { ArenaEvents } from '../net/events.ts';
import { type GameEnd, watchGameEnd } from './game-end.ts';
import { DisconnectedPopup } from './refund-popups.tsx';
import { RektPopup } from './rekt-popup.tsx';
import { SecuredPopup } from './secured-popup.tsx';

type EndOfGameProps = ArenaViewProps & { events: ArenaEvents };

/** The popup for the way the game ended. */
export function EndOfGame({ events, visit, user, onExit, onPlayAgain, onSpectate }: EndOfGameProps) {
  const [end, setEnd] = useState<GameEnd>();
  useEffect(() => watchGameEnd(events, user.name, setEnd), [events, user.name]);
  const { lobby } = visit;
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
