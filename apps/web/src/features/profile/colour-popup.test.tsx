// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser } from '../../testing/fixtures.ts';
import { press, render } from '../../testing/page.ts';
import { ColourPopup } from './colour-popup.tsx';

afterEach(() => void vi.unstubAllGlobals());

test('shows the colour of the id first, and stores the one that is chosen', async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    return Response.json({ status: 'success' });
  });
  const [onChanged, onClose] = [vi.fn(), vi.fn()];
  await render(<ColourPopup user={aUser()} onChanged={onChanged} onClose={onClose} />);
  const swatches = [...document.querySelectorAll<HTMLElement>('[role="radio"]')];
  expect(swatches).toHaveLength(12);
  // 'u1' is 117 + 49, modulo 12.
  expect(
    swatches.findIndex((each) => each.ariaChecked === 'true' || each.dataset['state'] === 'checked'),
  ).toBe(10);
  await act(async () => swatches[4]!.click());
  await press('Use this colour');
  expect(bodies).toEqual([{ colour: 4 }]);
  expect(onChanged).toHaveBeenCalledExactlyOnceWith(4);
  expect(onClose).toHaveBeenCalledOnce();
});
