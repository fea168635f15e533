import { parseRewardText } from '@engulf/domain/money/reward-text';
import { ROOM_LEADERBOARD_ROWS } from '@engulf/protocol/room/server-messages';
import { Users } from 'lucide-react';
import { TEXT } from '../../../shared/text.ts';
import { Amount } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import styles from './leaderboard.module.css';
import { HudPanel } from './panel.tsx';

type LeaderboardProps = {
  unit: string;
  ownName: string | undefined;
  /** For spectators: a click on a row follows that player. */
  onFollow: ((name: string) => void) | undefined;
};

/** The richest players, and the player's own rank below them if it is not listed. */
export function Leaderboard({ unit, ownName, onFollow }: LeaderboardProps) {
  const following = useHud((hud) => hud.following);
  const rows = useHud((hud) => hud.leaderboard);
  const ownRank = useHud((hud) => hud.ownRank);
  const isEmpty = useHud((hud) => hud.totalPlayers === 0);
  // Pink marks the player's own row only.
  const lookOf = (name: string, position: number) => {
    if (name === ownName && position === ownRank?.rank) return styles.inList;
    return onFollow && name === following ? styles.followed : undefined;
  };
  return (
    <HudPanel title={ARENA_TEXT.leaderboard}>
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

/** People and seats; bots take none. */
export function PlayerCount({ maxPlayers }: { maxPlayers: number }) {
  const totalPlayers = useHud((hud) => hud.totalPlayers);
  const totalBots = useHud((hud) => hud.totalBots);
  const people = totalPlayers === undefined ? TEXT.nothing : totalPlayers - totalBots;
  return (
    <HudPanel className={styles.count}>
      <Users strokeWidth={2.25} />
      {ARENA_TEXT.playerCount}
      <b>{`${people}/${maxPlayers}`}</b>
      {totalBots > 0 && <small>{TEXT.lobbies.bots(totalBots)}</small>}
    </HudPanel>
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
            // After a mouse click the keyboard belongs to the arena again.
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
