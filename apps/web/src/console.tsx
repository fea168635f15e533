import '@fontsource/bagel-fat-one/latin.css';
import '@fontsource-variable/onest';
import './tokens.css';
import './base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ConsoleApp } from './app/console-app.tsx';
import { applyFit } from './shared/appearance.ts';

applyFit(document.documentElement, () => 1);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ConsoleApp />
  </StrictMode>,
);
