import { LOBBY_LIVENESS } from '@engulf/domain/lobby/lobby-type';
import type { Lobby } from '@engulf/protocol/lobby';
import { Play, Wallet } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import { lobbyFee } from '../../shared/lobby-money.ts';
import { usePlaceText } from '../../shared/place-text.ts';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { nearestFirst, useWays } from '../../shared/ways.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/panel.tsx';
import { PetriGauge } from '../../ui/petri-gauge.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import styles from './lobby-list-popup.module.css';
import { lobbyRowState } from './lobby-row-state.ts';

/** The two types of the list, by their values. */
const TYPES = [
  { value: '1', label: TEXT.lobbies.list.global },
  { value: '2', label: TEXT.lobbies.list.private },
] as const;
type TypeValue = (typeof TYPES)[number]['value'];

type LobbyListPopupProps = {
  playerName: string | undefined;
  selected: Lobby | undefined;
  isConnected: boolean;
  prices: Record<string, string>;
  onSelect: (lobby: Lobby) => void;
  /** With the lobby that is selected, if any is. */
  onPlay: (lobby: Lobby | undefined) => void;
  onClose: () => void;
};

/** All lobbies by type, one of them to play in. */
export function LobbyListPopup(props: LobbyListPopupProps) {
  const { playerName, selected, isConnected, prices, onSelect, onPlay, onClose } = props;
  const lobbies = useLobbyStore((state) => state.lobbies);
  const [type, setType] = useState<TypeValue>(typeOf(selected));
  const ways = useWays();
  const shown = lobbies?.filter((lobby) => typeOf(lobby) === type) ?? [];
  const { list } = TEXT.lobbies;
  return (
    <Popup title={list.title} isOpen onClose={onClose}>
      {playerName !== undefined && <PopupLead>{list.lead(playerName)}</PopupLead>}
      <RadioGroup.Root
        className={styles.types}
        aria-label={list.types}
        value={type}
        onValueChange={(value) => setType(value as TypeValue)}
      >
        {TYPES.map(({ value, label }) => (
          <RadioGroup.Item key={value} className={styles.type} value={value}>
            {label}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      {shown.length === 0 ? (
        <EmptyState text={TEXT.lobbies.none} />
      ) : (
        <RadioGroup.Root
          className={styles.lobbies}
          aria-label={list.choose}
          value={selected?.id ?? ''}
          onValueChange={(id) => {
            const lobby = shown.find((candidate) => candidate.id === id);
            if (lobby) onSelect(lobby);
          }}
        >
          {nearestFirst(shown, ways).map((lobby, index) => (
            <LobbyOption key={lobby.id} lobby={lobby} seed={index} prices={prices} />
          ))}
        </RadioGroup.Root>
      )}
      <PopupActions>
        <Button
          size="lg"
          variant="primary"
          icon={isConnected ? <Play fill="currentColor" /> : <Wallet />}
          onClick={() => onPlay(shown.find(({ id }) => id === selected?.id))}
        >
          {isConnected ? TEXT.lobbies.play : TEXT.lobbies.connect}
        </Button>
      </PopupActions>
    </Popup>
  );
}

function typeOf(lobby: Lobby | undefined): TypeValue {
  return lobby?.lobbyType === 'semi-private' ? '2' : '1';
}

function LobbyOption({
  lobby,
  seed,
  prices,
}: {
  lobby: Lobby;
  seed: number;
  prices: Record<string, string>;
}) {
  const pulse = useLobbyStore((state) => state.pulses[lobby.id]);
  const where = usePlaceText(lobby);
  const nowMs = useNow(LOBBY_LIVENESS.checkEveryMs);
  const state = lobbyRowState(lobby, { pulse, nowMs, isSignedIn: true });
  const fee = lobbyFee(lobby, prices);
  return (
    <RadioGroup.Item className={styles.lobby} value={lobby.id} data-dimmed={!state.canEnter}>
      <PetriGauge
        className={styles.dish}
        filled={state.seats.current}
        bots={state.bots}
        seats={state.seats.max}
        seed={seed}
        isLocked={state.kind === 'locked'}
      />
      <span className={styles.name}>
        {lobby.name}
        {where && <small className={styles.where}>{where}</small>}
      </span>
      <span className={styles.fee}>{fee ? `${fee.figure} ${fee.unit}` : TEXT.lobbies.free}</span>
      <span className={styles.seats}>
        {state.canEnter ? `${state.seats.current}/${state.seats.max}` : state.action}
        {state.bots > 0 && <small className={styles.bots}>{TEXT.lobbies.bots(state.bots)}</small>}
      </span>
    </RadioGroup.Item>
  );
}
