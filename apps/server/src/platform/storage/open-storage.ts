import type { StorageConfig } from '../config/storage-config.ts';
import { openS3Storage } from './s3-storage.ts';
import { openFolderStorage, type Storage } from './storage.ts';

/** Files that are in use, and those of old matches. */
export async function openStorages({
  storage,
  archive,
}: {
  readonly storage: StorageConfig;
  readonly archive: StorageConfig | undefined;
}): Promise<{ readonly storage: Storage; readonly archive: Storage | undefined }> {
  return { storage: await open(storage), archive: archive && (await open(archive)) };
}

async function open(config: StorageConfig): Promise<Storage> {
  return config.kind === 's3' ? openS3Storage(config) : openFolderStorage(config.folder);
}
