// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { aUser } from '../../testing/fixtures.ts';
import { render } from '../../testing/page.ts';
import { ChatRow } from './chat-row.tsx';

const message = {
  id: '1',
  sender: 'OldName',
  lobbyId: 'global',
  user_id: 'u1',
  message: 'gm',
  avatarUrl: '/avatars/old.png',
  timestamp: 0,
  type: 'user',
} as const;

const user = aUser();
const row = (self: typeof user | undefined) =>
  render(<ChatRow message={message} self={self} isAdmin={false} />);
const shownName = () => document.querySelector('b')?.textContent;
const shownPicture = () => document.querySelector('img')?.getAttribute('src');

test('an own line shows the name and the picture that the player has now', async () => {
  await row({ ...user, avatarUrl: '/avatars/old.png' });
  expect(shownPicture()).toBe('/avatars/old.png');
  await row({ ...user, avatarUrl: '/avatars/new.png' });
  expect(shownPicture()).toBe('/avatars/new.png');
  expect(shownName()).toBe('MoonYolk');
});

test('a line of another player shows what came with it', async () => {
  await row(undefined);
  expect(shownPicture()).toBe('/avatars/old.png');
  expect(shownName()).toBe('OldName');
});
