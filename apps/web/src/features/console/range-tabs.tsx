import { TabList, Tabs } from '../../ui/tabs.tsx';
import { type ConsoleLink, follow, linkText } from './console-link.ts';
import { CONSOLE_TEXT } from './text.ts';

const RANGES = [
  { value: 'day', label: CONSOLE_TEXT.day },
  { value: 'month', label: CONSOLE_TEXT.month },
] as const;

export function RangeTabs({ link }: { link: ConsoleLink }) {
  const value = link.range ?? 'day';
  return (
    <Tabs value={value} onChange={(range: 'day' | 'month') => follow(linkText({ ...link, range }), true)}>
      <TabList label={CONSOLE_TEXT.range} tabs={RANGES} value={value} />
    </Tabs>
  );
}
