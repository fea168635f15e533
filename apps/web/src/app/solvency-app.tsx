import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { LobbyCheck } from '../features/fairness/lobby-check.tsx';
import { SolvencyPage } from '../features/solvency/solvency-page.tsx';

/** A page of its own: it needs no wallet, no socket and no arena, and fits a small screen. */
export function SolvencyApp() {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  return (
    <QueryClientProvider client={queryClient}>
      <SolvencyPage renderCheck={(lobby) => <LobbyCheck lobby={lobby} />} />
    </QueryClientProvider>
  );
}
