import styles from './amount.module.css';
import { classNames } from './class-names.ts';

type AmountProps = {
  /** The figure as people read it: '0.742'. */
  figure: string;
  unit: string;
  tone?: 'plain' | 'profit' | 'danger';
  className?: string | undefined;
};

/** An amount of money: the unit is smaller than the figure and never breaks off from it. */
export function Amount({ figure, unit, tone = 'plain', className }: AmountProps) {
  return (
    <span className={classNames(styles.amount, styles[tone], className)}>
      {figure}
      {unit !== '' && <span className={styles.unit}>{unit}</span>}
    </span>
  );
}
