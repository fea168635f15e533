import { parseRewardText } from '@engulf/domain/money/reward-text';
import { ROOM_LEADERBOARD_ROWS } from '@engulf/protocol/room/server-messages';
import { Users } from 'lucide-react';
import { Amount, Chip } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import styles from './leaderboard.module.css';
import { HudPanel } from './panel.tsx';

type LeaderboardProps = { unit: string; maxPlayers: number; ownName: string | undefined };

/** The richest players, and the player's own rank below them if it is not listed. */
export function Leaderboard({ unit, maxPlayers, ownName }: LeaderboardProps) {
  const rows = useHud((hud) => hud.leaderboard);
  const ownRank = useHud((hud) => hud.ownRank);
  return (
    <HudPanel title={ARENA_TEXT.leaderboard} aside={<PlayerCount maxPlayers={maxPlayers} />}>
      <ol className={styles.rows}>
        {rows.slice(0, ROOM_LEADERBOARD_ROWS).map(({ position, name, reward }) => (
          <Row
            key={position}
            rank={position}
            name={name}
            reward={reward}
            unit={unit}
            look={name === ownName && position === ownRank?.rank ? styles.inList : undefined}
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

type RowProps = { rank: number; name: string; reward: string; unit: string; look: string | undefined };

function Row({ rank, name, reward, unit, look }: RowProps) {
  return (
    <li className={classNames(styles.row, look)}>
      <span className={styles.rank}>{rank}</span>
      <span className={styles.name}>{name}</span>
      <Amount figure={parseRewardText(reward).amount} unit={unit} />
    </li>
  );
}
