import type { Plugin } from 'vite';

const ROOT = '<div id="root">';

/**
 * What every page shows until its scripts run, and all that it shows if a line breaks while they load. The page itself takes
 * its place.
 */
const SHELL = `
  <style>
    html { background: #0a1211; }
    .boot { display: grid; place-content: center; justify-items: center; gap: 16px; min-height: 100vh; padding: 16px;
      color: #bbc6c0; font: 500 14px/1.4 system-ui, sans-serif; text-align: center; }
    .boot img { width: 64px; animation: boot 0s 0.6s backwards; }
    .boot p { margin: 0; animation: boot 0s 8s backwards; }
    .boot a { color: #f5f2e7; text-decoration: underline; }
    @keyframes boot { from { visibility: hidden; } }
  </style>
  <div class="boot">
    <img src="/mark.svg" alt="">
    <p>This takes longer than it should. Check your connection and <a href="">reload the page</a>.</p>
    <noscript>Engulf needs JavaScript.</noscript>
  </div>`;

export function bootShell(): Plugin {
  return {
    name: 'boot-shell',
    transformIndexHtml: (html) => {
      if (!html.includes(ROOT)) throw new Error('The page has no root');
      return html.replace(ROOT, ROOT + SHELL);
    },
  };
}
