import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { PopupCross } from '../../../ui/popup.tsx';
import styles from './end-popup.module.css';

type EndPopupProps = {
  /** For screen readers; `heading` is what is drawn. */
  title: string;
  heading: ReactNode;
  tint: 'red' | 'gold' | 'plain';
  widthPx: number;
  /** The illustration, which breaks the top edge. */
  art: ReactNode;
  artTopPx: number;
  /** Where the text starts, below the illustration. */
  textTopPx: number;
  onClose: () => void;
  /** What the Enter key does, once it can no longer be meant for the arena. */
  onEnter?: () => void;
  children: ReactNode;
};

const ENTER_AFTER_MS = 400;

/** Closed only by its buttons, because a click may have been meant for the arena. */
export function EndPopup(props: EndPopupProps) {
  const { title, heading, tint, widthPx, art, artTopPx, textTopPx, onClose, onEnter, children } = props;
  const [openedMs] = useState(() => performance.now());
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnButton = event.target instanceof Element && event.target.closest('button, a') !== null;
    if (event.key !== 'Enter' || event.repeat || isOnButton) return;
    if (performance.now() - openedMs >= ENTER_AFTER_MS) onEnter?.();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={classNames(styles.scrim, styles[tint])}>
          <Dialog.Content
            className={styles.popup}
            style={{ width: widthPx, paddingTop: textTopPx, marginTop: -artTopPx / 2 }}
            aria-describedby={undefined}
            onKeyDown={onKeyDown}
            // A player who just died is still pressing keys, and those would press a focused button.
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
            }}
            onPointerDownOutside={(event) => event.preventDefault()}
            onInteractOutside={(event) => event.preventDefault()}
          >
            <div className={styles.art} style={{ top: artTopPx }}>
              {art}
            </div>
            <div className={styles.body}>
              <Dialog.Title asChild>
                <h1 aria-label={title}>{heading}</h1>
              </Dialog.Title>
              {children}
            </div>
            <PopupCross />
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export function EndLead({ children }: { children: ReactNode }) {
  return <p className={styles.lead}>{children}</p>;
}

export function EndFacts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function EndFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
