import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './fold.module.css';

/** A line that unfolds what is under it. */
export function Fold({ title, className, children, ...rest }: ComponentProps<'details'> & { title: string }) {
  return (
    <details className={classNames(styles.fold, className)} {...rest}>
      <summary className={styles.summary}>
        <ChevronDown size={17} strokeWidth={2.25} />
        {title}
      </summary>
      {children}
    </details>
  );
}
