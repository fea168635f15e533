// @vitest-environment happy-dom
import type { PublicConfig } from '@engulf/protocol/http/config';
import { registerWallet } from '@wallet-standard/wallet';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { render } from '../../testing/page.ts';
import { WalletDialog } from './wallet-dialog.tsx';

type StandardWallet = Parameters<typeof registerWallet>[0];

function aWallet(name: string): StandardWallet {
  const silent = () => new Promise(() => {});
  return {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,AA==',
    chains: ['solana:mainnet'],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: silent },
      'solana:signIn': { version: '1.0.0', signIn: silent },
      'solana:signTransaction': { version: '1.0.0', signTransaction: silent },
    },
  };
}

test('a wallet that does not answer can be left for another one', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  for (const name of ['Silent', 'Other']) registerWallet(aWallet(name));
  const config = { mode: 'external' } as PublicConfig;
  const onClose = vi.fn();
  const show = (isOpen: boolean) =>
    render(<WalletDialog config={config} isOpen={isOpen} onClose={onClose} onSignedIn={vi.fn()} />);
  const button = (label: string) =>
    [...document.querySelectorAll('button')].find(
      (each) => each.textContent?.includes(label) || each.getAttribute('aria-label') === label,
    )!;

  await show(true);
  await act(async () => button('Silent').click());
  expect(button('Other').disabled).toBe(true);
  await act(async () => button('Close').click());
  expect(onClose).toHaveBeenCalledOnce();
  await show(false);
  await show(true);
  expect(button('Other').disabled).toBe(false);
});
