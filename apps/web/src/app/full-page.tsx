import egg from '@engulf/card/avatars/egg.svg';
import type { ReactNode } from 'react';
import { AmbientGround } from '../art/ambient-ground.tsx';
import { HeroCell } from '../art/hero-cell.tsx';
import { TEXT } from '../shared/text.ts';
import { Logo } from '../ui/logo.tsx';
import { Footer } from './bars.tsx';
import styles from './full-page.module.css';

type BlockerProps = { title: string; text: string; art?: ReactNode; children?: ReactNode };

/** A full page shown instead of the game. */
export function Blocker({ title, text, art, children }: BlockerProps) {
  return (
    <div className={styles.page}>
      <AmbientGround clearing="message" />
      <Logo className={styles.logo} />
      <main className={styles.message}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{text}</p>
        {children && <div className={styles.actions}>{children}</div>}
      </main>
      <div className={styles.art}>
        {art ?? <HeroCell name={TEXT.productName} avatarUrl={egg} sizePx={620} />}
      </div>
      <div className={styles.footer}>
        <Footer />
      </div>
    </div>
  );
}

export function LoadingScreen({ label, children }: { label: string; children?: ReactNode }) {
  return (
    <div className={styles.screen}>
      <AmbientGround />
      <div role="status" aria-label={label}>
        <img className={styles.mark} src="/mark.svg" width={96} height={96} alt="" />
      </div>
      {children}
    </div>
  );
}
