import { type ConsoleAction, type ConsoleStaff, readConsoleView } from '@engulf/protocol/http/console';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { useNow } from '../../shared/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Panel, PanelBoundary, SkeletonRows } from '../../ui/panel.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { type ConsoleLink, readLink, useSearch } from './console-link.ts';
import styles from './console-page.module.css';
import { Rail, SearchBar } from './console-rail.tsx';
import { RangeTabs } from './range-tabs.tsx';
import { Section } from './sections.tsx';
import { CONSOLE_TEXT } from './text.ts';
import { useKeys } from './use-keys.ts';

type ConsolePageProps = {
  staff: ConsoleStaff;
  sign: (text: string) => Promise<string>;
  onSignOut: () => void;
};

export function ConsolePage({ staff, sign, onSignOut }: ConsolePageProps) {
  const link = readLink(useSearch());
  const [action, setAction] = useState<ConsoleAction>();
  const queryClient = useQueryClient();
  useKeys(staff.views.map(({ view }) => view));
  return (
    <div className={styles.page}>
      <Rail staff={staff} link={link} onSignOut={onSignOut} />
      <main className={styles.main}>
        <SearchBar key={link.q ?? ''} link={link} />
        <PanelBoundary key={link.view}>
          <ViewSections link={link} onAct={setAction} />
        </PanelBoundary>
      </main>
      {action && (
        <ChangeDialog
          action={action}
          sign={sign}
          onClose={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined);
            void queryClient.invalidateQueries({ queryKey: ['console-view'] });
          }}
        />
      )}
    </div>
  );
}

const REFRESH_MS = 4_000;

function ViewSections({ link, onAct }: { link: ConsoleLink; onAct: (action: ConsoleAction) => void }) {
  const nowMs = useNow(1_000);
  const { data, isPending, isError, isFetching, isPlaceholderData, error, refetch } = useQuery({
    queryKey: ['console-view', link],
    queryFn: async () => answerOrThrow(await callApi(readConsoleView, { query: link })),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    retry: 0,
  });
  if (!data || isPlaceholderData)
    return (
      <Panel>
        {isPending || isPlaceholderData ? (
          <SkeletonRows count={6} label={CONSOLE_TEXT.loading} />
        ) : (
          <EmptyState text={error?.message ?? CONSOLE_TEXT.failed}>
            <Button size="sm" isBusy={isFetching} onClick={() => void refetch()}>
              {CONSOLE_TEXT.tryAgain}
            </Button>
          </EmptyState>
        )}
      </Panel>
    );
  const firstChart = data.sections.findIndex(({ kind }) => kind === 'chart');
  return (
    <>
      {isError && (
        <p className={styles.stale} role="alert">
          {CONSOLE_TEXT.stale}
        </p>
      )}
      <div className={styles.sections}>
        {data.sections.map((section, index) => (
          <Fragment key={section.title}>
            {index === firstChart && (
              <div className={styles.range}>
                <RangeTabs link={link} />
              </div>
            )}
            <div className={styles.section} data-kind={section.kind}>
              <Section section={section} nowMs={nowMs} onAct={onAct} />
            </div>
          </Fragment>
        ))}
      </div>
    </>
  );
}
