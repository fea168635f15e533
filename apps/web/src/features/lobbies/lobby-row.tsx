import { formatSeats } from '@engulf/domain/lobby/lobby-type';
import type { Lobby } from '@engulf/protocol/lobby';
import { Clock3, Eye, KeyRound } from 'lucide-react';
import { lobbyFee, lobbyPool, type UsdPrices } from '../../shared/lobby-money.ts';
import { TEXT } from '../../shared/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Amount, Chip, Dot } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type GaugeRim, PetriGauge } from '../../ui/petri-gauge.tsx';
import styles from './lobby-row.module.css';
import type { LobbyRowKind, LobbyRowState } from './lobby-row-state.ts';

type LobbyRowProps = {
  lobby: Lobby;
  state: LobbyRowState;
  prices: UsdPrices;
  isSelected: boolean;
  isSignedIn: boolean;
  seed: number;
  onSelect: (lobby: Lobby) => void;
  onEnter: (lobby: Lobby) => void;
  onSpectate: (lobby: Lobby) => void;
};

const RIMS: { readonly [kind in LobbyRowKind]?: GaugeRim } = { lastSeat: 'portal', full: 'danger' };

export function LobbyRow(props: LobbyRowProps) {
  const { lobby, state, prices, isSelected, isSignedIn, seed, onSelect, onEnter, onSpectate } = props;
  const fee = lobbyFee(lobby, prices);
  const pool = state.poolTotal === undefined ? undefined : lobbyPool(lobby, state.poolTotal, prices);
  const hasSeatCount = state.kind !== 'offline' && state.kind !== 'locked';
  const isDimmed = state.kind === 'closed' || state.kind === 'offline' || state.kind === 'locked';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: selecting a row is a shortcut; its button does the same.
    <li
      className={classNames(styles.row, isSelected && styles.selected, isDimmed && styles.dimmed)}
      data-kind={state.kind}
      data-enterable={state.canEnter && isSignedIn}
      onClick={() => onSelect(lobby)}
    >
      <PetriGauge
        className={styles.dish}
        filled={state.seats.current}
        bots={state.bots}
        seats={state.seats.max}
        rim={RIMS[state.kind] ?? 'plain'}
        seed={seed}
        isLocked={state.kind === 'locked'}
      />
      <div className={styles.nameCell}>
        <h3 className={styles.name}>
          <span className={styles.nameText}>{lobby.name}</span>
          <RowChip lobby={lobby} kind={state.kind} />
        </h3>
        <p className={styles.subtitle} data-opens={state.kind === 'closed'}>
          {state.kind === 'closed' && <Clock3 size={14} strokeWidth={2.25} />}
          {state.subtitle}
        </p>
      </div>
      <div>
        <p className={styles.value}>
          {fee ? <Amount figure={fee.figure} unit={fee.unit} /> : TEXT.lobbies.free}
        </p>
        <p className={styles.under}>{fee ? fee.usd : TEXT.lobbies.noCharge}</p>
      </div>
      <div>
        <p className={styles.value}>
          {pool ? <Amount figure={pool.figure} unit={pool.unit} /> : TEXT.nothing}
        </p>
        {pool && <p className={styles.under}>{pool.usd ?? (fee ? undefined : TEXT.lobbies.playMoney)}</p>}
      </div>
      <div>
        <p className={styles.value}>{hasSeatCount ? formatSeats(state.seats) : TEXT.nothing}</p>
        {state.bots > 0 && <p className={styles.under}>{TEXT.lobbies.bots(state.bots)}</p>}
        {state.gathering > 0 && <p className={styles.waiting}>{TEXT.lobbies.gathering(state.gathering)}</p>}
      </div>
      <div className={styles.actions}>
        <IconButton
          className={styles.spectate}
          size="sm"
          label={`${TEXT.lobbies.spectate}: ${lobby.name}`}
          icon={<Eye />}
          disabled={!state.canSpectate}
          onClick={() => onSpectate(lobby)}
        />
        <Button
          className={styles.enter}
          size="sm"
          variant={isSignedIn && state.canEnter ? 'bone' : 'neutral'}
          disabled={!state.canEnter}
          aria-label={`${state.action}: ${lobby.name}`}
          onClick={() => onEnter(lobby)}
        >
          {state.action}
        </Button>
      </div>
    </li>
  );
}

function RowChip({ lobby, kind }: { lobby: Lobby; kind: LobbyRowKind }) {
  if (kind === 'locked') return <Chip tone="outline">{TEXT.lobbies.comingSoon}</Chip>;
  if (kind === 'offline') return <Chip icon={<Dot />}>{TEXT.lobbies.offline}</Chip>;
  if (kind === 'full') return <Chip tone="danger">{TEXT.lobbies.full}</Chip>;
  if (kind === 'lastSeat') return <Chip tone="portal">{TEXT.lobbies.lastSeat}</Chip>;
  if (lobby.lobbyType === 'semi-private') {
    return (
      <Chip tone="info" icon={<KeyRound />}>
        {TEXT.lobbies.code}
      </Chip>
    );
  }
  return lobby.lobbyType === 'free' ? <Chip tone="profit">{TEXT.lobbies.free}</Chip> : null;
}
