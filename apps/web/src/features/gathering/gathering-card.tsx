import type { Lobby } from '@engulf/protocol/lobby';
import { Link2, X } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { usePlaceText } from '../../shared/place-text.ts';
import { type OwnGathering, useGatheringStore } from '../../shared/stores/gathering-store.ts';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyInvite } from '../../ui/copy-invite.ts';
import { soundAlarm } from './alarm.ts';
import { stopGathering } from './gather.ts';
import styles from './gathering-card.module.css';

type GatheringCardProps = {
  place: 'menu' | 'game';
  /** The player was called and wants to pay. */
  onPay: (lobby: Lobby) => void;
};

/** Who waits with the player for a paid game, in the menu and during a free game. Nothing while the player does not wait. */
export function GatheringCard({ place, onPay }: GatheringCardProps) {
  const own = useGatheringStore((state) => state.own);
  const lobby = useLobbyStore((state) => state.lobbies?.find(({ id }) => id === own?.lobbyId));
  if (!own || !lobby) return null;
  const card = <Card key={own.lobbyId} own={own} lobby={lobby} place={place} onPay={onPay} />;
  // Beside the popups of a game, so that it can stand above them.
  return place === 'game' ? createPortal(card, document.body) : card;
}

function Card({ own, lobby, place, onPay }: GatheringCardProps & { own: OwnGathering; lobby: Lobby }) {
  const gathering = useLobbyStore((state) => state.pulses[lobby.id]?.gathering);
  const inside = useLobbyStore((state) => state.pulses[lobby.id]?.totalPlayers ?? 0);
  const where = usePlaceText(lobby);
  const nowMs = useNow(500);
  const isCalled = own.state === 'called';
  useEffect(() => {
    if (isCalled) return soundAlarm(TEXT.gathering.alarm(lobby.name));
  }, [isCalled, lobby.name]);
  const count = Math.max(1, gathering?.count ?? 1);
  const missing = Math.max(1, lobby.gatherSize - inside - count);
  const secondsLeft = isCalled ? Math.max(0, Math.ceil((own.endsAtMs - nowMs) / 1000)) : 0;
  const people = gathering?.people ?? [];
  const size = place === 'game' ? 'sm' : 'md';
  const detail = isCalled
    ? TEXT.gathering.payWithin(secondsLeft)
    : TEXT.gathering.names(
        people.map(({ name }) => name),
        count,
      );
  return (
    <section
      className={styles.card}
      data-place={place}
      data-called={isCalled}
      aria-label={TEXT.gathering.title}
    >
      <div className={styles.faces}>
        {people.map(({ name, avatarUrl }) => (
          <Avatar key={name} className={styles.face} name={name} url={avatarUrl} />
        ))}
        {!isCalled && <span className={styles.free} />}
      </div>
      <div className={styles.words} aria-live="polite">
        <p className={styles.headline}>
          {isCalled ? TEXT.gathering.called(lobby.name) : TEXT.gathering.waiting(missing, lobby.name)}
          {where && <span className={styles.where}>{where}</span>}
        </p>
        {(isCalled || place === 'menu') && <p className={styles.names}>{detail}</p>}
      </div>
      {isCalled ? (
        <Button variant="primary" size={size} disabled={secondsLeft === 0} onClick={() => onPay(lobby)}>
          {place === 'game' ? TEXT.gathering.leaveAndPay : TEXT.lobbies.payAndPlay}
        </Button>
      ) : (
        place === 'menu' && (
          <Button icon={<Link2 />} onClick={() => void copyInvite(lobby)}>
            {TEXT.gathering.invite}
          </Button>
        )
      )}
      <IconButton size={size} label={TEXT.gathering.stop} icon={<X />} onClick={() => void stopGathering()} />
    </section>
  );
}
