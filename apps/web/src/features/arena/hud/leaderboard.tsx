import { parseRewardText } from '@engulf/domain/money/reward-text';
import { ROOM_LEADERBOARD_ROWS } from '@engulf/protocol/room/server-messages';
import { Crown, Users } from 'lucide-react';
import { useState } from 'react';
import { countText } from '../../../shared/format.ts';
import { TEXT } from '../../../shared/text.ts';
import { Amount } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ReportPopup } from '../../../ui/report-popup.tsx';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import styles from './leaderboard.module.css';
import { HudPanel } from './panel.tsx';

type LeaderboardProps = {
  unit: string;
  /** Free lobbies rank by mass. */
  isByMass: boolean;
  ownName: string | undefined;
  /** For spectators: a click on a row follows that player. Players report somebody with it. */
  onFollow: ((name: string) => void) | undefined;
};

/** The richest players, or the heaviest, and the player's own rank below them if it is not listed. */
export function Leaderboard({ unit, isByMass, ownName, onFollow }: LeaderboardProps) {
  const following = useHud((hud) => hud.following);
  const rows = useHud((hud) => hud.leaderboard);
  const ownRank = useHud((hud) => hud.ownRank);
  const [reported, setReported] = useState<string>();
  const ownMass = useHud((hud) => hud.sight.mass);
  const shownUnit = isByMass ? ARENA_TEXT.mass.toLowerCase() : unit;
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
        {keyed(rows.slice(0, ROOM_LEADERBOARD_ROWS)).map(({ key, position, name, reward }) => (
          <Row
            key={key}
            rank={position}
            name={name}
            reward={reward}
            unit={shownUnit}
            label={onFollow ? ARENA_TEXT.spectator.follow(name) : TEXT.report.title(name)}
            onChoose={onFollow ?? (name === ownName ? undefined : setReported)}
            look={lookOf(name, position)}
          />
        ))}
        {ownRank && ownName !== undefined && ownRank.rank > ROOM_LEADERBOARD_ROWS && (
          <Row
            rank={ownRank.rank}
            name={ownName}
            reward={isByMass ? countText(ownMass ?? 0) : ownRank.reward}
            unit={shownUnit}
            look={styles.pinned}
          />
        )}
      </ol>
      {reported !== undefined && (
        <ReportPopup player={reported} matchId={null} onClose={() => setReported(undefined)} />
      )}
    </HudPanel>
  );
}

/** A row belongs to its player, so that a click hits who was meant when places change. Bots may share a name. */
function keyed<Entry extends { readonly name: string }>(rows: readonly Entry[]) {
  return rows.map((row, index) => {
    const namesakes = rows.slice(0, index).filter(({ name }) => name === row.name).length;
    return { ...row, key: `${row.name}/${namesakes}` };
  });
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
  /** What a click does. */
  label?: string;
  onChoose?: ((name: string) => void) | undefined;
};

function Row({ rank, name, reward, unit, look, label, onChoose }: RowProps) {
  return (
    <li className={classNames(styles.row, look)}>
      <span className={styles.rank}>{rank === 1 ? <Crown aria-label="1" /> : rank}</span>
      {onChoose ? (
        <button
          type="button"
          className={classNames(styles.name, styles.follow)}
          aria-label={label}
          onClick={(event) => {
            // After a mouse click the keyboard belongs to the arena again.
            if (event.detail > 0) event.currentTarget.blur();
            onChoose(name);
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
