// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { press, render } from '../../../testing/page.ts';
import { ForfeitPopup } from './refund-popups.tsx';

test('returning home asks for confirmation and says what the refund depends on', async () => {
  const client = new QueryClient();
  client.setQueryData(['config'], { links: { docs: '/docs' } });
  const [onCancel, onConfirm] = [vi.fn(), vi.fn()];
  await render(
    <QueryClientProvider client={client}>
      <ForfeitPopup isOpen onCancel={onCancel} onConfirm={onConfirm} />
    </QueryClientProvider>,
  );
  const { textContent } = document.body;
  expect(textContent).toContain('Return Home');
  expect(textContent).toContain('Are you sure you want to forfeit this match?');
  expect(textContent).toContain('Final refund amount is subject to change based on player mass.');
  await press('Cancel');
  expect(onCancel).toHaveBeenCalledOnce();
  await press('Confirm');
  expect(onConfirm).toHaveBeenCalledOnce();
});
