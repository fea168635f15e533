import { Slider as Radix } from 'radix-ui';
import { classNames } from './class-names.ts';
import styles from './slider.module.css';

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  className?: string | undefined;
  onChange: (value: number) => void;
};

export function Slider({ label, value, min, max, step, className, onChange }: SliderProps) {
  return (
    <Radix.Root
      className={classNames(styles.slider, className)}
      {...{ min, max, step }}
      value={[value]}
      onValueChange={([next]) => next !== undefined && onChange(next)}
    >
      <Radix.Track className={styles.track}>
        <Radix.Range className={styles.range} />
      </Radix.Track>
      <Radix.Thumb className={styles.thumb} aria-label={label} />
    </Radix.Root>
  );
}
