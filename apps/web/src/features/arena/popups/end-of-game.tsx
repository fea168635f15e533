import { type ReactNode, useEffect, useState } from 'react';
import { isFreeLobby, lobbyUnit } from '../../../shared/lobby-money.ts';
import type { ArenaViewProps } from '../arena-visit.ts';
import type { ArenaEvents } from '../net/events.ts';
import { type GameEnd, watchGameEnd } from './game-end.ts';
import type { LifeRecord } from './life-record.ts';
import { useOutcome } from './outcome.ts';
import { DisconnectedPopup } from './refund-popups.tsx';
import { RektPopup } from './rekt-popup.tsx';
import { SecuredPopup } from './secured-popup.tsx';

type EndOfGameProps = ArenaViewProps & {
  events: ArenaEvents;
  life: LifeRecord;
  /** The picture of somebody in the arena; null for the default portrait. */
  avatarOf: (name: string) => string | null;
  /** A replay of the last seconds from the killer's view; without `onClose` it is a background. */
  renderDeath: (killer: string | undefined, onClose?: () => void) => ReactNode;
};

/** How long the arena stays visible, so that the player sees how it ended. */
const HOLD_MS = { rekt: 800, secured: 700, disconnected: 0 } as const;

/** The popup for the way the game ended. */
export function EndOfGame(props: EndOfGameProps) {
  const { events, life, visit, user, onExit, onPlayAgain, onSpectate } = props;
  const [toldEnd, setToldEnd] = useState<GameEnd>();
  const [isWatching, setWatching] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const stop = watchGameEnd(events, (next) => {
      clearTimeout(timer);
      timer = setTimeout(() => setToldEnd(next), HOLD_MS[next.kind]);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [events]);
  const { lobby } = visit;
  const outcome = useOutcome(toldEnd?.kind === 'disconnected' && !isFreeLobby(lobby) ? toldEnd : undefined);
  const end = outcome?.kind === 'ended' ? outcome.end : toldEnd;
  switch (end?.kind) {
    case undefined:
      return null;
    case 'rekt':
      if (isWatching) return props.renderDeath(end.eatenBy, () => setWatching(false));
      return (
        <>
          {props.renderDeath(end.eatenBy)}
          <RektPopup
            end={end}
            eaterAvatarUrl={end.eatenBy === undefined ? null : props.avatarOf(end.eatenBy)}
            life={life.read()}
            fate={end.eatenBy === undefined ? undefined : life.witness.fateBy(end.eatenBy)}
            unit={lobbyUnit(lobby)}
            isFree={isFreeLobby(lobby)}
            own={user}
            onClose={() => onExit()}
            onPlayAgain={onPlayAgain}
            onSpectate={onSpectate}
            onWatch={() => setWatching(true)}
          />
        </>
      );
    case 'secured':
      return (
        <SecuredPopup
          end={end}
          lobby={lobby}
          life={life.read()}
          own={user}
          onClose={() => onExit()}
          onPlayAgain={onPlayAgain}
        />
      );
    case 'disconnected':
      return (
        <DisconnectedPopup
          lobby={lobby}
          own={user}
          wasHidden={end.wasHidden}
          refund={outcome?.kind === 'refund' ? outcome.row : undefined}
          onClose={() => onExit()}
          onViewRefund={() => onExit('games')}
        />
      );
  }
}
