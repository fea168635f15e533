import '@fontsource/bagel-fat-one/latin.css';
import '@fontsource-variable/onest';
import './tokens.css';
import './base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { applyAppearance, applyFit } from './shared/appearance.ts';

applyAppearance(document.documentElement);
applyFit(document.documentElement);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
