import { expect as expectSoon } from '@playwright/test';

/** For what a page shows sooner or later: a machine on which everything else runs as well is no failure. */
export const expect = expectSoon.configure({ timeout: 60_000 });
