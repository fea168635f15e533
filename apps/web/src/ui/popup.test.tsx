// @vitest-environment happy-dom
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { button, press, render } from '../testing/page.ts';
import { Popup } from './popup.tsx';

function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Popup title="Popup" isOpen={isOpen} onClose={() => setOpen(false)}>
        <button type="button" autoFocus onClick={() => setOpen(false)}>
          Done
        </button>
      </Popup>
    </>
  );
}

test('a popup gives the focus back to what opened it', async () => {
  await render(<Page />);
  button('Open').focus();
  await press('Open');
  expect(document.activeElement).toBe(button('Done'));
  await press('Done');
  await vi.waitFor(() => expect(document.activeElement).toBe(button('Open')));
});
