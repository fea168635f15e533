import styles from './avatar.module.css';
import { classNames } from './class-names.ts';
import { defaultAvatarUrl } from './default-avatar.ts';

type AvatarProps = {
  name: string;
  /** The player's own picture; without one the name picks a house portrait. */
  url: string | null;
  /** The colour of the ring around it. */
  ring?: string | undefined;
  className?: string | undefined;
};

/** Decorative: the name always stands beside it. */
export function Avatar({ name, url, ring, className }: AvatarProps) {
  return (
    <img
      className={classNames(styles.avatar, className)}
      src={url ?? defaultAvatarUrl(name)}
      alt=""
      draggable={false}
      style={ring === undefined ? undefined : { ['--ring' as string]: ring }}
    />
  );
}
