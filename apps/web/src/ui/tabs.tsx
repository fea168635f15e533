import { Tabs as RadixTabs } from 'radix-ui';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import styles from './tabs.module.css';

type Tab<Value extends string> = {
  readonly value: Value;
  readonly label: string;
  readonly count?: number | undefined;
};

type TabsProps<Value extends string> = {
  value: Value;
  onChange: (value: Value) => void;
  children: ReactNode;
  className?: string | undefined;
};

/** Holds a `TabList` and one `TabPage` per tab. */
export function Tabs<Value extends string>({ value, onChange, children, className }: TabsProps<Value>) {
  return (
    <RadixTabs.Root className={className} value={value} onValueChange={(next) => onChange(next as Value)}>
      {children}
    </RadixTabs.Root>
  );
}

type TabListProps<Value extends string> = {
  label: string;
  tabs: readonly Tab<Value>[];
  /** The open tab, which the pill marks. */
  value: Value;
};

export function TabList<Value extends string>({ label, tabs, value }: TabListProps<Value>) {
  const { listRef, pill } = usePill(value);
  // Radix focuses the tab by script, and browsers then show the focus ring even after a mouse click.
  const [isPointed, setPointed] = useState(false);
  return (
    <RadixTabs.List
      ref={listRef}
      className={styles.track}
      aria-label={label}
      data-pointed={isPointed}
      onPointerDown={() => setPointed(true)}
      onKeyDown={() => setPointed(false)}
    >
      <span
        className={styles.pill}
        data-heading={pill.heading}
        style={{ left: pill.leftPx, right: pill.rightPx }}
      />
      {tabs.map((tab) => (
        <RadixTabs.Trigger key={tab.value} className={styles.tab} value={tab.value}>
          {tab.label}
          {tab.count !== undefined && <b className={styles.count}>{tab.count}</b>}
        </RadixTabs.Trigger>
      ))}
    </RadixTabs.List>
  );
}

export const TabPage = RadixTabs.Content;

type Pill = { leftPx: number; rightPx: number; heading: 'none' | 'left' | 'right' };

/** The edges of the pill move at different speeds, so that it stretches from one label to the next. */
function usePill(value: string) {
  const listRef = useRef<HTMLDivElement>(null);
  const [pill, setPill] = useState<Pill>({ leftPx: 0, rightPx: 0, heading: 'none' });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the open tab moves the pill.
  useLayoutEffect(() => {
    const list = listRef.current;
    if (!list) return;
    const measure = (isMoving: boolean) => {
      const open = list.querySelector<HTMLElement>('[data-state="active"]');
      if (!open) return;
      const leftPx = open.offsetLeft;
      const rightPx = list.clientWidth - leftPx - open.offsetWidth;
      setPill((last) => ({
        leftPx,
        rightPx,
        heading: isMoving ? (leftPx > last.leftPx ? 'right' : 'left') : 'none',
      }));
    };
    let isFirst = true;
    const observer = new ResizeObserver(() => {
      if (!isFirst) measure(false);
      isFirst = false;
    });
    measure(true);
    observer.observe(list);
    for (const tab of list.children) observer.observe(tab);
    return () => observer.disconnect();
  }, [value]);

  return { listRef, pill };
}
