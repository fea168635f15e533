import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './text-field.module.css';

type TextFieldProps = Omit<ComponentProps<'input'>, 'aria-label'> & {
  label: string;
  /** Shown below the field instead of the hint. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Codes are shown large, in the display font. */
  isCode?: boolean;
};

export function TextField({ label, error, hint, isCode = false, className, ...rest }: TextFieldProps) {
  const noteId = useId();
  const note = error ?? hint;
  return (
    <div className={className}>
      <input
        className={classNames(styles.input, isCode && styles.code)}
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : noteId}
        autoComplete="off"
        spellCheck={false}
        {...rest}
      />
      {note !== undefined && (
        <p
          id={noteId}
          className={classNames(styles.note, error !== undefined && styles.error)}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  );
}
