import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'bone' | 'neutral' | 'outline' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Shows a spinner beside the label, which then tells the progress. The button cannot be pressed. */
  isBusy?: boolean;
};

export function Button({
  variant = 'neutral',
  size = 'md',
  icon,
  isBusy = false,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={classNames(styles.button, styles[variant], styles[size], isBusy && styles.busy, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> & {
  label: string;
  icon: ReactNode;
};

export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <Button aria-label={label} title={label} className={classNames(styles.square, className)} {...rest}>
      {icon}
    </Button>
  );
}
