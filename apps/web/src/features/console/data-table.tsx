import type { ConsoleAction, ConsoleTable } from '@engulf/protocol/http/console';
import { Button } from '../../ui/button.tsx';
import { Panel, PanelHeader } from '../../ui/panel.tsx';
import { Cell, ConsoleAnchor } from './cell.tsx';
import styles from './data-table.module.css';
import { saveFile, tableCsv, tableJson } from './table-file.ts';
import { CONSOLE_TEXT } from './text.ts';

type DataTableProps = { table: ConsoleTable; nowMs: number; onAct: (action: ConsoleAction) => void };

export function DataTable({ table, nowMs, onAct }: DataTableProps) {
  const { title, note, columns, rows, empty, older } = table;
  const hasActions = rows.some(({ actions }) => actions.length > 0);
  const fileName = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return (
    <Panel aria-label={title}>
      <PanelHeader title={title}>
        {rows.length > 0 && (
          <span className={styles.files}>
            <button
              type="button"
              className={styles.file}
              onClick={() => saveFile(`${fileName}.json`, 'application/json', tableJson(table))}
            >
              {CONSOLE_TEXT.json}
            </button>
            <button
              type="button"
              className={styles.file}
              onClick={() => saveFile(`${fileName}.csv`, 'text/csv', tableCsv(table))}
            >
              {CONSOLE_TEXT.csv}
            </button>
          </span>
        )}
      </PanelHeader>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {rows.length === 0 ? (
        <p className={styles.empty}>{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <section className={styles.scroll} tabIndex={0} aria-label={title}>
          <table className={styles.table}>
            <thead>
              <tr>
                {columns.map(({ key, label, isNumber }) => (
                  <th key={key} data-number={isNumber}>
                    {label}
                  </th>
                ))}
                {hasActions && <th data-number>{CONSOLE_TEXT.actions}</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ cells, actions }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id of their own, and hold no state.
                <tr key={index}>
                  {columns.map(({ key, isNumber }) => (
                    <td key={key} data-number={isNumber}>
                      <Cell cell={cells[key]} nowMs={nowMs} />
                    </td>
                  ))}
                  {hasActions && (
                    <td>
                      <Actions actions={actions} onAct={onAct} />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {older !== undefined && (
        <p className={styles.older}>
          <ConsoleAnchor to={older}>{CONSOLE_TEXT.older}</ConsoleAnchor>
        </p>
      )}
    </Panel>
  );
}

export function Actions({
  actions,
  onAct,
}: {
  actions: readonly ConsoleAction[];
  onAct: (action: ConsoleAction) => void;
}) {
  return (
    <span className={styles.actions}>
      {actions.map((action) => (
        <Button key={action.label} size="sm" className={styles.action} onClick={() => onAct(action)}>
          {action.label}
        </Button>
      ))}
    </span>
  );
}
