import '@fontsource/bagel-fat-one/latin.css';
import '@fontsource-variable/onest';
import './tokens.css';
import './base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ReplayApp } from './app/replay-app.tsx';
import { applyAppearance, applyFit } from './shared/appearance.ts';

applyAppearance(document.documentElement);
applyFit(document.documentElement, () => 1);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ReplayApp />
  </StrictMode>,
);
