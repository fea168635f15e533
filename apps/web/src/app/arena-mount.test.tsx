// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { aLobby, aUser } from '../testing/fixtures.ts';
import { press, render } from '../testing/page.ts';
import { ArenaMount } from './arena-mount.tsx';

vi.mock('../features/arena/arena-view.tsx', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

test('an arena that cannot be loaded offers to reload the page', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
  const onExit = vi.fn();
  await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <ArenaMount
        visit={{ type: 'player', lobby: aLobby(), joinTicket: 'ticket' }}
        user={aUser()}
        gameUrl={null}
        tabHiddenTimeoutMs={10_000}
        virusDepthMass={130}
        onExit={onExit}
        onPlayAgain={vi.fn()}
        onSpectate={vi.fn()}
      />
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(document.body.textContent).toContain('Game Loading Error'));
  await press('Reload Page');
  expect(reload).toHaveBeenCalledOnce();
  await press('Back to menu');
  expect(onExit).toHaveBeenCalledOnce();
});
