import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { TEXT } from '../shared/text.ts';
import { classNames } from './class-names.ts';
import styles from './popup.module.css';

type PopupProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** False while something runs that must not be interrupted. */
  isClosable?: boolean;
  /** An illustration that breaks the top edge, beside the title or above a centred one. */
  crest?: ReactNode;
  crestPlace?: 'beside' | 'above';
  size?: 'sm' | 'md' | 'lg' | 'xl' | 'wide';
  /** False where the buttons are enough. */
  hasCross?: boolean;
  children: ReactNode;
};

export function Popup({
  title,
  isOpen,
  onClose,
  isClosable = true,
  crest,
  crestPlace = 'beside',
  size = 'md',
  hasCross = true,
  children,
}: PopupProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && isClosable && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.scrim}>
          <Content
            className={classNames(styles.popup, styles[size])}
            aria-describedby={undefined}
            data-crest={crest === undefined ? 'none' : crestPlace}
            data-cross={hasCross && isClosable}
          >
            {crest !== undefined && <div className={styles.crest}>{crest}</div>}
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            {children}
            {hasCross && isClosable && <PopupCross />}
          </Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Gives the focus back to what opened the popup, unless it has moved on. Radix does so only for triggers of its own. */
function Content(props: ComponentProps<typeof Dialog.Content>) {
  const [opener] = useState(() => document.activeElement);
  const returnFocus = (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
  };
  return <Dialog.Content {...props} onCloseAutoFocus={returnFocus} />;
}

/** Closes the popup that it is in. */
export function PopupCross() {
  return (
    <Dialog.Close className={styles.cross} aria-label={TEXT.close}>
      <X size={18} strokeWidth={2.25} />
    </Dialog.Close>
  );
}

export function PopupLead({ children }: { children: ReactNode }) {
  return <p className={styles.lead}>{children}</p>;
}

type PopupActionsProps = {
  /** Gives all buttons the same width. */
  isEven?: boolean;
  children: ReactNode;
};

/** The row of buttons at the end; the last one is the main one and twice as wide. */
export function PopupActions({ isEven = false, children }: PopupActionsProps) {
  return <div className={classNames(styles.actions, isEven && styles.even)}>{children}</div>;
}
