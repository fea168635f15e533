// @vitest-environment happy-dom
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { button, press, render } from '../testing/page.ts';
import { Button } from './button.tsx';
import { Popup } from './popup.tsx';

function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Popup title="Popup" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Button autoFocus onClick={() => setOpen(false)}>
          Done
        </Button>
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
