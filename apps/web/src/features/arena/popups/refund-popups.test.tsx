// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { aLobby } from '../../../testing/fixtures.ts';
import { press, render } from '../../../testing/page.ts';
import { ForfeitPopup } from './refund-popups.tsx';

async function leave(entryFee: string, handlers = { onCancel: () => {}, onConfirm: () => {} }) {
  const client = new QueryClient();
  client.setQueryData(['config'], { links: { docs: '/docs' }, platformFeeBasisPoints: 500 });
  await render(
    <QueryClientProvider client={client}>
      <ForfeitPopup
        lobby={aLobby({ entryFee, tokenSymbol: 'SOL', tokenDecimals: 9 })}
        carried={{ mass: 900, reward: '0.475(x9.50)' }}
        {...handlers}
      />
    </QueryClientProvider>,
  );
}

test('forfeiting names what comes back, what is given up and how long the cell stays', async () => {
  await leave('50000000');
  const { textContent } = document.body;
  expect(textContent).toContain('0.047 SOL');
  expect(textContent).toContain('0.427 SOL');
  expect(textContent).toContain('for 10 seconds');
  expect(document.querySelector('a')!.getAttribute('href')).toBe('/how-to-play');
});

test('in a free lobby it is play money, and no refund is spoken of', async () => {
  await leave('0');
  const { textContent } = document.body;
  expect(textContent).toContain('$0.47, play money');
  expect(textContent).not.toContain('refund amount');
});

test('returning home asks for confirmation and says what the refund depends on', async () => {
  const [onCancel, onConfirm] = [vi.fn(), vi.fn()];
  await leave('50000000', { onCancel, onConfirm });
  const { textContent } = document.body;
  expect(textContent).toContain('Return Home');
  expect(textContent).toContain('Are you sure you want to forfeit this match?');
  expect(textContent).toContain('Final refund amount is subject to change based on player mass.');
  await press('Cancel');
  expect(onCancel).toHaveBeenCalledOnce();
  await press('Confirm');
  expect(onConfirm).toHaveBeenCalledOnce();
});
