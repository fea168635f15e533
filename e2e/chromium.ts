import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

/** Starts a headless Chromium: the system's if installed, else the one from npm. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: FLAGS });
}

/** The one from npm is unpacked when it is first asked for. */
export async function findChromium(): Promise<string> {
  if (existsSync(SYSTEM_CHROMIUM)) return SYSTEM_CHROMIUM;
  // The packaged Chromium unpacks its shared libraries only on hosts it knows, such as Vercel.
  process.env['VERCEL'] ??= '1';
  // Its default flags ask for a single process, which dies when the first page is closed.
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
