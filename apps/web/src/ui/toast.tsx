import { Check, CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { Toaster as SonnerToaster, toast } from 'sonner';
import { TEXT } from '../shared/text.ts';
import { classNames } from './class-names.ts';
import styles from './toast.module.css';
import tones from './tones.module.css';

type ToastTone = 'profit' | 'danger' | 'portal' | 'info';
type ToastMessage = { readonly title: string; readonly text?: string | undefined };

/** Beyond this the oldest toast is removed. */
const MAX_TOASTS = 5;
const TOAST_LIFE_MS = 3_000;

const ICONS = { profit: Check, danger: CircleAlert, portal: TriangleAlert, info: Info } as const;

export function showToast(tone: ToastTone, { title, text }: ToastMessage): void {
  const Icon = ICONS[tone];
  toast.custom(() => (
    <div className={styles.toast} role={tone === 'danger' ? 'alert' : 'status'}>
      <span className={classNames(styles.disc, tones[tone])}>
        <Icon size={18} strokeWidth={2.25} />
      </span>
      <div>
        <b className={styles.title}>{title}</b>
        {text !== undefined && <p className={styles.text}>{text}</p>}
      </div>
    </div>
  ));
}

/** Clears all toasts when the page switches between menu and arena. */
export function dismissToasts(): void {
  toast.dismiss();
}

/** Top right in the menu, bottom centre in the game. */
export function Toaster({ place }: { place: 'menu' | 'game' }) {
  return (
    <SonnerToaster
      position={place === 'menu' ? 'top-right' : 'bottom-center'}
      visibleToasts={MAX_TOASTS}
      duration={TOAST_LIFE_MS}
      gap={10}
      // In the game above the key hints and the mass.
      offset={place === 'menu' ? 20 : { bottom: 150 }}
      expand
      containerAriaLabel={TEXT.notifications}
    />
  );
}
