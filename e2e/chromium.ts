import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

/** Starts a headless Chromium: the system's if installed, else the one from npm. */
export async function launchChromium(): Promise<Browser> {
  const system = '/usr/bin/chromium';
  const flags = [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
  ];
  if (existsSync(system)) return chromium.launch({ executablePath: system, args: flags });
  // The packaged Chromium unpacks its shared libraries only on hosts it knows, such as Vercel.
  process.env['VERCEL'] ??= '1';
  const { default: packaged } = await import('@sparticuz/chromium');
  // Its default flags ask for a single process, which dies when the first page is closed.
  return chromium.launch({ executablePath: await packaged.executablePath(), args: flags });
}
