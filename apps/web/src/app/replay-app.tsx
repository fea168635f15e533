import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type ReplayLink, readReplayLink } from '../features/arena/replay/replay-link.ts';
import { ReplayPage } from '../features/arena/replay/replay-page.tsx';
import { REPLAY_TEXT } from '../features/arena/replay/text.ts';
import { Button } from '../ui/button.tsx';
import { Toaster } from '../ui/toast.tsx';
import { Blocker } from './full-page.tsx';

const VerifyDialog = lazy(async () => {
  const { VerifyDialog } = await import('../features/fairness/verify-dialog.tsx');
  return { default: VerifyDialog };
});

/** A page of its own: it needs no wallet, no socket and no room. */
export function ReplayApp() {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  const [link] = useState(() => readReplayLink(new URL(window.location.href)));
  return (
    <QueryClientProvider client={queryClient}>
      {link ? <Viewer link={link} /> : <UnknownMatch />}
      <Toaster place="game" />
    </QueryClientProvider>
  );
}

function Viewer({ link }: { link: ReplayLink }) {
  const [verified, setVerified] = useState<string>();
  return (
    <>
      <ReplayPage link={link} onVerify={setVerified} />
      {verified !== undefined && (
        <Suspense>
          <VerifyDialog matchId={verified} onClose={() => setVerified(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function UnknownMatch() {
  const { title, text } = REPLAY_TEXT.failures.unknown;
  return (
    <Blocker title={title} text={text}>
      <Button size="lg" variant="primary" onClick={() => window.location.assign('/')}>
        {REPLAY_TEXT.back}
      </Button>
    </Blocker>
  );
}
