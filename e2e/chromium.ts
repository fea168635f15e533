import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

/** Starts a real headless Chromium: the system's when there is one, else the one that comes from npm. */
export async function launchChromium(): Promise<Browser> {
  const system = '/usr/bin/chromium';
  const flags = [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
  ];
  if (existsSync(system)) return chromium.launch({ executablePath: system, args: flags });
  // The packaged Chromium unpacks its own shared libraries only where it believes to be on such a host.
  process.env['VERCEL'] ??= '1';
  const { default: packaged } = await import('@sparticuz/chromium');
  // Its own list of flags asks for a single process, which dies with the first page that is closed.
  return chromium.launch({ executablePath: await packaged.executablePath(), args: flags });
}
