import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { portraitOf } from '@engulf/card/portrait';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { AVATARS_PATH, avatarUrlOf } from '@engulf/domain/profile/avatar';
import { eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { type AvatarRefusal, drawPortrait, redrawAvatar } from './avatar-image.ts';

const FILE_NAME = /^[0-9a-f]{64}\.png$/;
/** A big picture takes some tens of megabytes while it is decoded. */
const MAX_AT_ONCE = 2;

let running = 0;

/** Stores the picture under the hash of its content, then shows it to everyone. Returns its address. */
export async function changeAvatar(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  user: UserRow,
  file: Uint8Array,
): Promise<Result<string, AvatarRefusal | Failure<'RATE_LIMITED'>>> {
  if (running >= MAX_AT_ONCE) return refuse('RATE_LIMITED');
  running++;
  try {
    const drawn = await redrawAvatar(file);
    if (!drawn.ok) return drawn;
    const avatarUrl = await store(storage, drawn.value);
    await db.update(users).set({ avatarUrl }).where(eq(users.id, user.id));
    return ok(avatarUrl);
  } finally {
    running--;
  }
}

/**
 * The picture that a player has after a change of name. The default portrait depends on the name, so the old one is
 * kept as the player's own picture.
 */
export async function avatarAfterRename(
  { storage }: Pick<Context, 'storage'>,
  { name, avatarUrl }: Pick<UserRow, 'name' | 'avatarUrl'>,
  nextName: string,
): Promise<string | null> {
  const portrait = portraitOf(name);
  if (avatarUrl !== null || portrait === portraitOf(nextName)) return avatarUrl;
  const file = fileURLToPath(import.meta.resolve(`@engulf/card/avatars/${portrait}.svg`));
  return store(storage, await drawPortrait(await readFile(file)));
}

async function store(storage: Context['storage'], png: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(png).digest('hex');
  await storage.put(`avatars/${hash}.png`, png, 'image/png');
  return avatarUrlOf(hash);
}

/** Undefined if no picture has this name. */
export async function readAvatar(
  { storage }: Pick<Context, 'storage'>,
  name: string,
): Promise<Uint8Array | undefined> {
  return FILE_NAME.test(name) ? storage.get(`avatars/${name}`) : undefined;
}

/** The picture that a user uploaded; undefined if there is none. */
export async function readAvatarFile(
  context: Pick<Context, 'storage'>,
  { avatarUrl }: Pick<UserRow, 'avatarUrl'>,
): Promise<Uint8Array | undefined> {
  return avatarUrl?.startsWith(`${AVATARS_PATH}/`)
    ? readAvatar(context, avatarUrl.slice(AVATARS_PATH.length + 1))
    : undefined;
}
