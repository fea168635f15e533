// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ForfeitPopup } from './refund-popups.tsx';

test('whoever wants to return home is asked, and told what the refund depends on', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  const root = createRoot(document.getElementById('root')!);
  onTestFinished(() => act(() => root.unmount()));
  const client = new QueryClient();
  client.setQueryData(['config'], { links: { docs: '/docs' } });
  const [onCancel, onConfirm] = [vi.fn(), vi.fn()];
  await act(() =>
    root.render(
      <QueryClientProvider client={client}>
        <ForfeitPopup isOpen onCancel={onCancel} onConfirm={onConfirm} />
      </QueryClientProvider>,
    ),
  );
  const { textContent } = document.body;
  expect(textContent).toContain('Return Home');
  expect(textContent).toContain('Are you sure you want to forfeit this match?');
  expect(textContent).toContain('Final refund amount is subject to change based on player mass.');
  const press = (label: string) =>
    [...document.querySelectorAll('button')].find((button) => button.textContent === label)!.click();
  press('Cancel');
  expect(onCancel).toHaveBeenCalledOnce();
  press('Confirm');
  expect(onConfirm).toHaveBeenCalledOnce();
});
