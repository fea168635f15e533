import { useState } from 'react';
import { defaultAvatarUrl } from '../art/default-avatar.ts';
import styles from './avatar.module.css';
import { classNames } from './class-names.ts';

type AvatarProps = {
  name: string;
  /** The player's own picture; null for the default portrait of the name. */
  url: string | null;
  /** The colour of the ring around it. */
  ring?: string | undefined;
  className?: string | undefined;
};

/** Decorative: the name is always beside it. A picture that cannot be loaded gives way to the default portrait. */
export function Avatar({ name, url, ring, className }: AvatarProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const shownUrl = url === null || url === brokenUrl ? defaultAvatarUrl(name) : url;
  return (
    <img
      className={classNames(styles.avatar, className)}
      src={shownUrl}
      onError={() => setBrokenUrl(shownUrl)}
      alt=""
      draggable={false}
      style={ring === undefined ? undefined : { ['--ring' as string]: ring }}
    />
  );
}

export type MedalRank = 1 | 2 | 3;

const METALS = { 1: 'var(--gold)', 2: 'var(--silver)', 3: 'var(--bronze)' } as const;

/** The colour of the ring around the avatar of a medal holder. */
export function medalColour(rank: MedalRank): string {
  return METALS[rank];
}

export function Medal({ rank }: { rank: MedalRank }) {
  return (
    <svg className={styles.medal} viewBox="0 0 36 36" role="img" aria-label={`#${rank}`}>
      <path
        fill={METALS[rank]}
        d="M18 1.5c3.6 0 4.4 2.3 7.3 3.5s5.6.4 7.2 3.4-.2 5.2.6 8.1 2.6 4.6 1 7.6-4.2 2.7-6.4 4.9-2.6 5.2-6.2 5.5-5-2-8.2-2.5-5.7 1-8-1.5-1-4.9-2.6-7.7S-.6 18 1 14.7s4.2-2.9 5.6-5.5S7.4 3.9 10.4 2.7 15 1.5 18 1.5z"
      />
      <circle
        cx="17.8"
        cy="18"
        r="11"
        fill="none"
        stroke="var(--medal-ink)"
        strokeOpacity="0.28"
        strokeWidth="1.6"
      />
      <text
        x="17.6"
        y="23.6"
        textAnchor="middle"
        fontFamily="var(--font-display)"
        fontSize="16"
        fill="var(--medal-ink)"
      >
        {rank}
      </text>
    </svg>
  );
}
