import { Switch as Radix } from 'radix-ui';
import styles from './switch.module.css';

type SwitchProps = {
  label: string;
  note?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
};

/** One line of a list of options: what it does on the left, the switch on the right. */
export function Switch({ label, note, isOn, onChange }: SwitchProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is a button, which a label may hold.
    <label className={styles.line}>
      <span className={styles.text}>
        <b>{label}</b>
        {note !== undefined && <small>{note}</small>}
      </span>
      <Radix.Root className={styles.track} checked={isOn} onCheckedChange={onChange}>
        <Radix.Thumb className={styles.thumb} />
      </Radix.Root>
    </label>
  );
}
