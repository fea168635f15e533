// @vitest-environment happy-dom
import { act } from 'react';
import { expect, test } from 'vitest';
import { render } from '../../../testing/page.ts';
import { createHudStore, HudContext } from './hud-store.ts';
import { FailedOverlay } from './overlays.tsx';

test('a join that failed says what to do, and why it failed if that is known', async () => {
  const hud = createHudStore();
  await render(
    <HudContext value={hud}>
      <FailedOverlay onBack={() => {}} />
    </HudContext>,
  );
  const text = () => document.body.textContent;
  expect(text()).toContain('Initializing Game failed');
  expect(text()).toContain('Please go back and select the lobby again.');
  await act(() => hud.setState({ failure: { title: 'Lobby Full', text: 'No seat.' } }));
  expect(text()).toContain('Please go back and select the lobby again.');
  expect(text()).toContain('Lobby Full: No seat.');
});
