import { parseRewardText } from '@engulf/domain/money/reward-text';
import { ROOM_LEADERBOARD_ROWS } from '@engulf/protocol/room/server-messages';
import { Users } from 'lucide-react';
import { Amount, Chip } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import styles from './leaderboard.module.css';
import { HudPanel } from './panel.tsx';

type LeaderboardProps = {
  unit: string;
  maxPlayers: number;
  ownName: string | undefined;
  /** For spectators: a click on a row follows that player. */
  onFollow: ((name: string) => void) | undefined;
};

/** The richest players, and the player's own rank below them if it is not listed. */
export function Leaderboard({ unit, maxPlayers, ownName, onFollow }: LeaderboardProps) {
  const following = useHud((hud) => hud.following);
  const rows = useHud((hud) => hud.leaderboard);
  const ownRank = useHud((hud) => hud.ownRank);
  const isEmpty = useHud((hud) => hud.totalPlayers === 0);
  // Pink is for the own row only.
  const lookOf = (name: string, position: number) => {
    if (name === ownName && position === ownRank?.rank) return styles.inList;
    return onFollow && name === following ? styles.followed : undefined;
  };
  return (
    <HudPanel title={ARENA_TEXT.leaderboard} aside={<PlayerCount maxPlayers={maxPlayers} />}>
      {isEmpty && <p className={styles.nobody}>{ARENA_TEXT.nobody}</p>}
      <ol className={styles.rows}>
        {rows.slice(0, ROOM_LEADERBOARD_ROWS).map(({ position, name, reward }) => (
          <Row
            key={position}
            rank={position}
            name={name}
            reward={reward}
            unit={unit}
            onFollow={onFollow}
            look={lookOf(name, position)}
          />
        ))}
        {ownRank && ownName !== undefined && ownRank.rank > ROOM_LEADERBOARD_ROWS && (
          <Row rank={ownRank.rank} name={ownName} reward={ownRank.reward} unit={unit} look={styles.pinned} />
        )}
      </ol>
    </HudPanel>
  );
}

function PlayerCount({ maxPlayers }: { maxPlayers: number }) {
  const totalPlayers = useHud((hud) => hud.totalPlayers);
  const totalBots = useHud((hud) => hud.totalBots);
  return (
    <span title={ARENA_TEXT.playerCount}>
      <Chip icon={<Users size={13} strokeWidth={2.25} />}>
        {totalPlayers !== undefined && totalBots > 0
          ? ARENA_TEXT.population(totalPlayers - totalBots, totalBots)
          : `${totalPlayers ?? '–'}/${maxPlayers}`}
      </Chip>
    </span>
  );
}

type RowProps = {
  rank: number;
  name: string;
  reward: string;
  unit: string;
  look: string | undefined;
  onFollow?: ((name: string) => void) | undefined;
};

function Row({ rank, name, reward, unit, look, onFollow }: RowProps) {
  return (
    <li className={classNames(styles.row, look)}>
      <span className={styles.rank}>{rank}</span>
      {onFollow ? (
        <button
          type="button"
          className={classNames(styles.name, styles.follow)}
          aria-label={ARENA_TEXT.spectator.follow(name)}
          onClick={(event) => {
            // After a click of the mouse the keys belong to the arena again.
            if (event.detail > 0) event.currentTarget.blur();
            onFollow(name);
          }}
        >
          {name}
        </button>
      ) : (
        <span className={styles.name}>{name}</span>
      )}
      <Amount figure={parseRewardText(reward).amount} unit={unit} />
    </li>
  );
}
