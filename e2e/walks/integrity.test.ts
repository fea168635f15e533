import { join } from 'node:path';
import { castOf } from '@engulf/bench/integrity/cast.ts';
import { playWatched } from '@engulf/bench/integrity/play.ts';
import { listLobbies } from '@engulf/server/lobbies/lobby-rows';
import { openDatabase } from '@engulf/server/platform/database/open-database';
import { openFolderStorage } from '@engulf/server/platform/storage/storage';
import { newUser } from '@engulf/server/testing/new-user';
import { planMatch, storeMatch } from '@engulf/server/testing/stored-match';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { ask, type Engulf, forget, operate, startEngulf } from '../engulf.ts';
import { expect as expectPage } from '../expect.ts';
import { openPage } from '../player.ts';

const MATCHES = 6;
const SECONDS = 400;
/** What is found depends on what happens: with secrets of chance it would be now this, now that. */
const FIRST_SECRET = 7;
const SOON = { timeout: 60_000 };

type Case = { case: string; player: string; with: string; kinds: string };

/** Matches in which somebody gives itself to a friend whenever portals are announced, among people who know nothing of it. */
async function plantDumping({ dataDir }: Engulf): Promise<void> {
  const { db, close } = await openDatabase({ kind: 'embedded', folder: join(dataDir, 'database') });
  const storage = openFolderStorage(join(dataDir, 'storage'));
  const lobby = (await listLobbies(db)).find(({ name }) => name === 'Shallows')!;
  const { groups, honest } = castOf(5, 16);
  const { accounts } = groups.find(({ kind }) => kind === 'dumping before a portal')!;
  const names = new Map([
    [accounts[0]!.name, 'Giver'],
    [accounts[1]!.name, 'Taker'],
  ]);
  const users = new Map<string, Awaited<ReturnType<typeof newUser>>>();
  for (const { name } of [...accounts, ...honest]) {
    users.set(name, await newUser(db, { name: names.get(name) ?? name.replace(' ', '') }));
  }
  const seats = [...accounts, ...honest].map((account) => ({
    account,
    friends: accounts.filter((other) => accounts.includes(account) && other !== account),
    isActive: accounts.includes(account),
  }));
  for (let index = 0; index < MATCHES; index++) {
    const plan = planMatch(new Uint8Array(32).fill(FIRST_SECRET + index));
    const entryOf = (account: string) => plan.newEntry(users.get(account)!.id);
    const { segments } = playWatched(9_000 + index, seats, SECONDS, { key: plan.key, entryOf });
    const stored = { segments, finalTick: SECONDS * 25 };
    await storeMatch({ db, storage, nowMs: Date.now }, lobby, plan, stored);
  }
  await close();
}

describe('somebody who gives its bounty away', () => {
  let browser: Browser;
  let engulf: Engulf;
  beforeAll(async () => {
    [browser, engulf] = await Promise.all([launchChromium(), startEngulf()]);
    await engulf.stop();
    await plantDumping(engulf);
    // Six matches are few: who looks at so few must be content with less certainty.
    engulf = await startEngulf({ after: engulf, falseDiscoveryPct: 20 });
  });
  afterAll(async () => {
    await browser?.close();
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  test('is put forward, is looked at in the replay, and is decided about by a person', async () => {
    let found: Case | undefined;
    await expect
      .poll(
        async () => {
          const cases = await ask<Case[]>(engulf, 'integrity', 'list');
          found = cases.find(({ player, with: partner }) => player === 'Giver' && partner === 'Taker');
          return cases.map(({ player }) => player);
        },
        { timeout: 300_000, interval: 1_000 },
      )
      .toContain('Giver');
    const { words, moments } = await ask<{ words: string[]; moments: { what: string; link: string }[] }>(
      engulf,
      'integrity',
      'show',
      found!.case,
    );
    expect(words.join()).toContain('Taker');

    const page = await openPage(browser, engulf);
    const { link } = moments.find(({ what }) => what === 'given')!;
    expect(link).toMatch(/^\/replay\/[0-9a-f-]{36}\?t=\d+&player=[0-9a-f-]{36}$/);
    await page.goto(engulf.url + link);
    await expectPage(page.getByRole('button', { name: 'Report Giver' })).toBeVisible(SOON);

    await operate(engulf, 'integrity', 'act', found!.case, '--warn', '--apart');
    const open = await ask<Case[]>(engulf, 'integrity', 'list');
    expect(open.map(({ case: id }) => id)).not.toContain(found!.case);
    await page.goto(`${engulf.url}/integrity`);
    // A number that grew with every case would tell who tries out what is found.
    await expectPage(page.getByText('There have been none in the months that are over.')).toBeVisible();
  });
});
