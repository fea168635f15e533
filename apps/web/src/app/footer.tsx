import { BookOpen, Send } from 'lucide-react';
import { LINKS } from '../shared/links.ts';
import { TEXT } from '../shared/text.ts';
import { XGlyph } from '../ui/x-glyph.tsx';
import styles from './footer.module.css';

export function Footer() {
  const links = [
    { href: LINKS.docs, icon: <BookOpen strokeWidth={2.25} />, label: TEXT.footer.docs },
    { href: LINKS.social, icon: <XGlyph />, label: TEXT.footer.social },
    { href: LINKS.chat, icon: <Send strokeWidth={2.25} />, label: TEXT.footer.chat },
  ];
  return (
    <footer className={styles.footer}>
      <span>{TEXT.footer.copyright(new Date().getFullYear())}</span>
      <nav className={styles.links}>
        {links.map(
          ({ href, icon, label }) =>
            href !== undefined && (
              <a key={label} className={styles.link} href={href} target="_blank" rel="noreferrer">
                {icon}
                {label}
              </a>
            ),
        )}
      </nav>
    </footer>
  );
}
