import { type OwnLimits, readLimits, setDepositLimit, takeBreak } from '@engulf/protocol/http/limits';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorX } from 'lucide-react';
import { type ApiFailure, answerOrThrow, callApi, describeApiFailure } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, SkeletonRows } from '../../ui/panel.tsx';
import { Popup, PopupLead } from '../../ui/popup.tsx';
import { showToast } from '../../ui/toast.tsx';
import { BreakForm } from './break-form.tsx';
import { DepositForm } from './deposit-form.tsx';
import styles from './limits-popup.module.css';

const QUERY_KEY = ['own', 'limits'] as const;

type LimitsPopupProps = { onClose: () => void; onSignOutEverywhere: () => void };

/** What players set for themselves. */
export function LimitsPopup({ onClose, onSignOutEverywhere }: LimitsPopupProps) {
  const queryClient = useQueryClient();
  const { data, isError } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => answerOrThrow(await callApi(readLimits, {})),
  });
  const keep = (limits: OwnLimits) => queryClient.setQueryData(QUERY_KEY, limits);
  const refuse = (error: ApiFailure) => showToast('danger', describeApiFailure(error));

  const save = async (tokenMint: string | null, limit: bigint | null) => {
    const body = { tokenMint, limit: limit?.toString() ?? null };
    const answer = await callApi(setDepositLimit, { body });
    if (!answer.ok) return refuse(answer.error);
    keep(answer.value);
    showToast('profit', { title: TEXT.limits.saved });
  };
  const pause = async (days: number) => {
    const answer = await callApi(takeBreak, { body: { days } });
    if (answer.ok) keep(answer.value);
    else refuse(answer.error);
  };

  return (
    <Popup title={TEXT.limits.title} isOpen onClose={onClose}>
      <PopupLead>{TEXT.limits.lead}</PopupLead>
      {!data ? (
        isError ? (
          <EmptyState text={TEXT.limits.failed} />
        ) : (
          <SkeletonRows count={3} label={TEXT.loading} />
        )
      ) : (
        <>
          <h3 className={styles.heading}>{TEXT.limits.daily}</h3>
          <p className={styles.note}>{TEXT.limits.dailyNote}</p>
          {data.deposits.map((deposit) => (
            <DepositForm
              key={`${deposit.tokenMint} ${deposit.limit}`}
              deposit={deposit}
              onSave={(limit) => save(deposit.tokenMint, limit)}
            />
          ))}
          <h3 className={styles.heading}>{TEXT.limits.break}</h3>
          <p className={styles.note}>{TEXT.limits.breakNote}</p>
          <BreakForm key={data.breakUntil} breakUntil={data.breakUntil} onStart={pause} />
          <h3 className={styles.heading}>{TEXT.limits.account}</h3>
          <p className={styles.note}>{TEXT.limits.accountNote}</p>
          <Button size="sm" icon={<MonitorX />} onClick={onSignOutEverywhere}>
            {TEXT.limits.signOutEverywhere}
          </Button>
        </>
      )}
    </Popup>
  );
}
