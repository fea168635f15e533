import { findChromium } from './chromium.ts';

/** Before the test files, two of which would unpack it at once. */
export async function setup(): Promise<void> {
  await findChromium();
}
