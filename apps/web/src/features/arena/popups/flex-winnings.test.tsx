// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawShareCard } from '../../../art/share-card.ts';
import { aLobby, aUser, FREE } from '../../../testing/fixtures.ts';
import { render } from '../../../testing/page.ts';
import { Toaster } from '../../../ui/toast.tsx';
import { FlexWinnings } from './flex-winnings.tsx';

// There is no canvas here.
vi.mock('../../../art/share-card.ts', () => ({
  drawShareCard: vi.fn(async () => new Blob(['a card'], { type: 'image/png' })),
}));

const fetchMock = vi.fn<typeof fetch>();
const open = vi.fn();

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
  vi.stubGlobal('open', open);
  window.open = open;
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

const END = {
  kind: 'secured',
  wasClosed: false,
  reward: '0.342(x3.42)',
  usdValue: '$48.77',
  finalMass: 2184.9,
} as const;

async function flex(lobby = aLobby()) {
  await render(
    <>
      <FlexWinnings end={END} lobby={lobby} own={aUser()} isGain />
      <Toaster place="game" />
    </>,
  );
  await act(() => document.querySelector('button')!.click());
}

const text = () => document.body.textContent;

test('the button waits for the upload, then the post opens with the link of the page', async () => {
  let answer: (response: Response) => void = () => undefined;
  fetchMock.mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await flex();
  const button = document.querySelector('button')!;
  expect(button.textContent).toBe('Please wait...');
  expect(button.disabled).toBe(true);
  const [path, init] = fetchMock.mock.calls[0]!;
  expect(path).toBe('/api/upload');
  expect((init!.body as FormData).get('file')).toBeInstanceOf(Blob);
  await act(async () =>
    answer(Response.json({ url: 'https://engulf.example/share-cards/a.png', key: 'k3y' })),
  );
  await vi.waitFor(() => expect(open).toHaveBeenCalledOnce());
  const post = new URL(open.mock.calls[0]![0]);
  expect(post.origin + post.pathname).toBe('https://x.com/intent/post');
  expect(post.searchParams.get('url')).toBe(new URL('/winningshare/k3y', window.location.origin).href);
  expect(text()).toContain('Flex Winnings');
  expect(text()).toContain('Your card is out');
});

test.each([
  [
    'the server refuses',
    () => Promise.resolve(Response.json({ error: 'RATE_LIMITED', message: '' }, { status: 429 })),
  ],
  ['there is no network', () => Promise.reject(new TypeError('offline'))],
])('it says that the upload failed if %s', async (_, respond) => {
  fetchMock.mockImplementation(respond);
  await flex();
  await vi.waitFor(() => expect(text()).toContain('Upload failed. Check console for details.'));
  expect(console.error).toHaveBeenCalled();
  expect(open).not.toHaveBeenCalled();
  expect(document.querySelector('button')!.textContent).toBe('Flex Winnings');
});

test('the preview says what the popup says, and calls play money so', async () => {
  fetchMock.mockRejectedValue(new TypeError('offline'));
  await flex(aLobby(FREE));
  expect(vi.mocked(drawShareCard).mock.calls[0]![0]).toMatchObject({
    playerName: 'MoonYolk',
    multiplier: '3.42',
    amount: '0.342 USD',
    worth: 'play money',
    entryFee: 'Free',
    finalMass: '2,184',
  });
});
