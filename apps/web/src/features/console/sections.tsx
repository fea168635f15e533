import type { ConsoleAction, ConsoleSection } from '@engulf/protocol/http/console';
import { agoText } from '../../shared/format.ts';
import { Panel, PanelHeader } from '../../ui/panel.tsx';
import { Cell, ConsoleAnchor } from './cell.tsx';
import { Chart } from './chart.tsx';
import { Actions, DataTable } from './data-table.tsx';
import styles from './sections.module.css';

type SectionProps = {
  section: ConsoleSection;
  nowMs: number;
  onAct: (action: ConsoleAction) => void;
};

export function Section({ section, nowMs, onAct }: SectionProps) {
  switch (section.kind) {
    case 'table':
      return <DataTable table={section} nowMs={nowMs} onAct={onAct} />;
    case 'fields':
      return <Fields section={section} nowMs={nowMs} onAct={onAct} />;
    case 'path':
      return <Path section={section} nowMs={nowMs} />;
    case 'chart':
      return <Chart chart={section} />;
  }
}

type Of<Kind extends ConsoleSection['kind']> = Extract<ConsoleSection, { kind: Kind }>;

function Fields({ section, nowMs, onAct }: Omit<SectionProps, 'section'> & { section: Of<'fields'> }) {
  return (
    <Panel aria-label={section.title}>
      <PanelHeader title={section.title}>
        <Actions actions={section.actions} onAct={onAct} />
      </PanelHeader>
      <dl className={styles.fields}>
        {section.fields.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Cell cell={value} nowMs={nowMs} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Path({ section, nowMs }: { section: Of<'path'>; nowMs: number }) {
  return (
    <Panel aria-label={section.title}>
      <PanelHeader title={section.title} />
      <ol className={styles.path}>
        {section.steps.map(({ title, text, state, at, to }) => (
          <li key={title} className={styles.step} data-state={state}>
            <span className={styles.dish} />
            <b>{title}</b>
            <span>{to === undefined ? text : <ConsoleAnchor to={to}>{text}</ConsoleAnchor>}</span>
            {at !== undefined && (
              <time dateTime={at} title={at}>
                {agoText(Date.parse(at), nowMs)}
              </time>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
