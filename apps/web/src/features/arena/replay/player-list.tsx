import type { PlayerId } from '@engulf/sim/players';
import { Flag, Video } from 'lucide-react';
import { memo, useState } from 'react';
import { useCellColours } from '../../../art/cell-colours.ts';
import { countText } from '../../../shared/format.ts';
import { TEXT } from '../../../shared/text.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ReportPopup } from '../../../ui/report-popup.tsx';
import { HudPanel } from '../hud/panel.tsx';
import type { Life } from './match-index.ts';
import styles from './player-list.module.css';
import { nameOf, type ReplayState, useReplay } from './replay-store.ts';
import { REPLAY_TEXT } from './text.ts';

type PlayerListProps = {
  onFollow: (player: PlayerId | undefined) => void;
  /** Follow somebody from the moment of its spawn. */
  onVisit: (life: Life) => void;
};

/** Everybody in the arena, the largest first, and the people who are not in it at the moment. */
export function PlayerList({ onFollow, onVisit }: PlayerListProps) {
  const players = useReplay((state) => state.players);
  const followed = useReplay((state) => state.followed);
  const colours = useCellColours();
  const unit = useReplay((state) => state.match?.tokenSymbol ?? '');
  return (
    <HudPanel title={REPLAY_TEXT.players.title} className={styles.panel}>
      <ul className={styles.rows}>
        <li>
          <button
            type="button"
            className={styles.row}
            aria-pressed={followed === undefined}
            onClick={() => onFollow(undefined)}
          >
            <Video size={16} strokeWidth={2.25} />
            <span className={styles.name}>{REPLAY_TEXT.players.free}</span>
          </button>
        </li>
        {players.map(({ id, name, colour, reward, mass }) => (
          <Row
            key={id}
            id={id}
            name={name}
            colour={colours[colour]?.[0]}
            mass={Math.round(mass)}
            reward={reward}
            unit={unit}
            isFollowed={id === followed}
            onFollow={onFollow}
          />
        ))}
        <Absent onVisit={onVisit} />
        <Report />
      </ul>
    </HudPanel>
  );
}

type RowProps = Pick<PlayerListProps, 'onFollow'> & {
  id: PlayerId;
  name: string;
  colour: string | undefined;
  mass: number;
  reward: string;
  unit: string;
  isFollowed: boolean;
};

/** Only those are drawn anew whose figures have changed: there may be a hundred, several times a second. */
const Row = memo(function Row({ id, name, colour, mass, reward, unit, isFollowed, onFollow }: RowProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        aria-pressed={isFollowed}
        aria-label={REPLAY_TEXT.players.follow(name)}
        onClick={() => onFollow(id)}
      >
        <i className={styles.dot} style={{ background: colour }} />
        <span className={styles.name}>{name}</span>
        <span className={styles.mass}>{countText(mass)}</span>
        <span className={styles.reward}>
          {reward} <small>{unit}</small>
        </span>
      </button>
    </li>
  );
});

/** Whoever is followed can be reported, if it is a person. */
function Report() {
  const match = useReplay((state) => state.match);
  const lives = useReplay((state) => state.lives);
  const followed = useReplay((state) => state.followed);
  const [reported, setReported] = useState<string>();
  const life = lives.find(({ player, entry }) => player === followed && entry);
  if (!match || !life) return null;
  const name = nameOf({ match, lives } as ReplayState, life.player);
  return (
    <li>
      <button type="button" className={styles.row} onClick={() => setReported(name)}>
        <Flag size={16} strokeWidth={2.25} />
        <span className={styles.name}>{TEXT.report.title(name)}</span>
      </button>
      {reported !== undefined && (
        <ReportPopup player={reported} matchId={match.id} onClose={() => setReported(undefined)} />
      )}
    </li>
  );
}

function Absent({ onVisit }: Pick<PlayerListProps, 'onVisit'>) {
  const lives = useReplay((state) => state.lives);
  const match = useReplay((state) => state.match);
  const present = useReplay((state) => state.players);
  const isPresent = new Set(present.map(({ id }) => id));
  const absent = lives.filter(({ entry, player }) => entry !== undefined && !isPresent.has(player));
  return absent.map((life) => {
    const name = nameOf({ match, lives } as ReplayState, life.player);
    return (
      <li key={life.player}>
        <button
          type="button"
          className={classNames(styles.row, styles.absent)}
          aria-label={`${REPLAY_TEXT.players.follow(name)}, ${REPLAY_TEXT.players.gone}`}
          onClick={() => onVisit(life)}
        >
          <i className={styles.dot} />
          <span className={styles.name}>{name}</span>
        </button>
      </li>
    );
  });
}
