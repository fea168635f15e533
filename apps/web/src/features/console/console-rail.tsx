import type { ConsoleStaff } from '@engulf/protocol/http/console';
import { LogOut, Moon, Search, Sun } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useSetting } from '../../shared/settings.ts';
import { Chip } from '../../ui/chip.tsx';
import { Logo } from '../../ui/logo.tsx';
import { ConsoleAnchor } from './cell.tsx';
import { type ConsoleLink, follow, linkText } from './console-link.ts';
import styles from './console-rail.module.css';
import { CONSOLE_TEXT } from './text.ts';

type RailProps = { staff: ConsoleStaff; link: ConsoleLink; onSignOut: () => void };

/** Which entry of the rail a detail belongs to. */
const PARENTS: { readonly [view: string]: string } = { player: 'players', entry: 'players' };

export function Rail({ staff, link, onSignOut }: RailProps) {
  const [isDark, setDark] = useSetting('darkMode');
  const open = PARENTS[link.view] ?? link.view;
  return (
    <nav className={styles.rail} aria-label={CONSOLE_TEXT.title}>
      <a href="/" aria-label={CONSOLE_TEXT.back}>
        <Logo className={styles.logo} />
      </a>
      <ul className={styles.views}>
        {staff.views.map(({ view, title }, index) => (
          <li key={view} className={styles.view} data-open={view === open}>
            <ConsoleAnchor to={`?view=${view}`} className={styles.link}>
              {title}
            </ConsoleAnchor>
            <kbd className={styles.key}>{index + 1}</kbd>
          </li>
        ))}
      </ul>
      <div className={styles.self}>
        <b className={styles.name}>{staff.name}</b>
        <Chip tone="own">{staff.role}</Chip>
        <button type="button" className={styles.tool} onClick={() => setDark(!isDark)}>
          {isDark ? <Sun size={16} /> : <Moon size={16} />}
          {isDark ? CONSOLE_TEXT.light : CONSOLE_TEXT.dark}
        </button>
        <button type="button" className={styles.tool} onClick={onSignOut}>
          <LogOut size={16} />
          {CONSOLE_TEXT.signOut}
        </button>
        <p className={styles.keys}>{CONSOLE_TEXT.keys}</p>
      </div>
    </nav>
  );
}

export function SearchBar({ link }: { link: ConsoleLink }) {
  const [text, setText] = useState(link.q ?? '');
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') follow(linkText({ view: 'players', q: text.trim() }));
  };
  return (
    <search>
      <form className={styles.search} onSubmit={search}>
        <Search size={18} strokeWidth={2.25} />
        <input
          type="search"
          aria-label={CONSOLE_TEXT.search}
          placeholder={`${CONSOLE_TEXT.search}: ${CONSOLE_TEXT.searchHint}`}
          value={text}
          maxLength={128}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
