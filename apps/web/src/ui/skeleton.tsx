import { classNames } from './class-names.ts';
import styles from './skeleton.module.css';

/** The shape of what is still loading; size and radius come from `className`. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.skeleton, className)} aria-hidden="true" />;
}

/** Rows of a list that is still loading: a round avatar, a name and an amount each. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  return (
    <div className={styles.rows} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
        <div key={index} className={styles.row}>
          <Skeleton className={styles.round} />
          <Skeleton className={styles.line} />
          <Skeleton className={styles.figure} />
        </div>
      ))}
    </div>
  );
}
