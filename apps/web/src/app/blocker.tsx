import type { ReactNode } from 'react';
import { AmbientGround } from '../art/ambient-ground.tsx';
import { HeroCell } from '../art/hero-cell.tsx';
import { TEXT } from '../shared/text.ts';
import egg from '../ui/avatars/egg.svg';
import { Logo } from '../ui/logo.tsx';
import styles from './blocker.module.css';
import { Footer } from './footer.tsx';

type BlockerProps = { title: string; text: string; children?: ReactNode };

/** A full page in place of the game. */
export function Blocker({ title, text, children }: BlockerProps) {
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
        <HeroCell name={TEXT.productName} avatarUrl={egg} sizePx={620} />
      </div>
      <div className={styles.footer}>
        <Footer />
      </div>
    </div>
  );
}
