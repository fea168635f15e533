import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Stores files that do not belong in the database. A key is a path of plain names. */
export type Storage = {
  /** Durable once it resolves. An object of the same key is replaced whole. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Only if the key is free, or holds the same bytes. False if others have put something else there. */
  putNew(key: string, bytes: Uint8Array, contentType: string): Promise<boolean>;
  get(key: string): Promise<Uint8Array | undefined>;
  remove(key: string): Promise<void>;
};

const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

export function assertStorageKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
}

export function openFolderStorage(folder: string): Storage {
  const pathOf = (key: string) => {
    assertStorageKey(key);
    return join(folder, key);
  };
  const get: Storage['get'] = async (key) => {
    try {
      return await readFile(pathOf(key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    put: async (key, bytes) => writeThrough(pathOf(key), bytes, rename),
    putNew: async (key, bytes) => {
      try {
        await writeThrough(pathOf(key), bytes, link);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return isSame(await get(key), bytes);
      }
    },
    get,
    remove: async (key) => rm(pathOf(key), { force: true }),
  };
}

export function isSame(found: Uint8Array | undefined, bytes: Uint8Array): boolean {
  return found !== undefined && Buffer.compare(found, bytes) === 0;
}

/** A reader sees the old file or the new one, whenever the process or the machine stops. */
async function writeThrough(
  path: string,
  bytes: Uint8Array,
  publish: (unfinished: string, path: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await publish(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
