import type { SolvencyLobby } from '@engulf/protocol/http/solvency';
import { Check, CircleHelp, TriangleAlert } from 'lucide-react';
import { Chip } from '../../ui/chip.tsx';
import { SOLVENCY_TEXT } from './text.ts';

const LOOKS = {
  covered: { tone: 'profit', Icon: Check },
  uncovered: { tone: 'danger', Icon: TriangleAlert },
  unknown: { tone: 'portal', Icon: CircleHelp },
} as const;

export function StateChip({ state }: { state: SolvencyLobby['state'] }) {
  const { tone, Icon } = LOOKS[state];
  return (
    <Chip tone={tone} icon={<Icon />}>
      {SOLVENCY_TEXT.states[state]}
    </Chip>
  );
}
