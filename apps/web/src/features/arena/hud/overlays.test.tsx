// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHudStore, HudContext } from './hud-store.ts';
import { FailedOverlay } from './overlays.tsx';

let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root')!);
});
afterEach(() => act(() => root.unmount()));

test('a join that failed says what to do, and why it failed if that is known', async () => {
  const hud = createHudStore();
  await act(() =>
    root.render(
      <HudContext value={hud}>
        <FailedOverlay onBack={() => {}} />
      </HudContext>,
    ),
  );
  const text = () => document.body.textContent;
  expect(text()).toContain('Initializing Game failed');
  expect(text()).toContain('Please go back and select the lobby again.');
  await act(() => hud.setState({ failure: { title: 'Lobby Full', text: 'No seat.' } }));
  expect(text()).toContain('Please go back and select the lobby again.');
  expect(text()).toContain('Lobby Full: No seat.');
});
