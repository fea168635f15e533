import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Without a bucket, files are kept in a folder. */
export const storagePublicVariables = z.object({
  /** In production, where nothing falls back silently, the folder has to be named. */
  STORAGE_DIR: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  /** Of a service other than Amazon's; buckets are then parts of the path. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Where recordings of old matches go: a folder, or a bucket at the same service. Without either, nothing is archived. */
  ARCHIVE_DIR: z.string().optional(),
  ARCHIVE_S3_BUCKET: z.string().optional(),
});

export const storageSecretVariables = z.object({
  /** Both or none: on a machine with a role of its own, the library finds the key itself. */
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
});

type StorageVariables = z.output<typeof storagePublicVariables> & z.output<typeof storageSecretVariables>;

export type StorageConfig =
  | { readonly kind: 'folder'; readonly folder: string }
  | ReturnType<typeof shapeBucket>;

export function shapeStorage(read: StorageVariables, dataDir: string): StorageConfig {
  if (read.S3_BUCKET !== undefined) return shapeBucket(read, read.S3_BUCKET);
  const folder = read.STORAGE_DIR === undefined ? join(dataDir, 'storage') : resolve(read.STORAGE_DIR);
  return { kind: 'folder', folder };
}

export function shapeArchive(read: StorageVariables): StorageConfig | undefined {
  if (read.ARCHIVE_S3_BUCKET !== undefined) return shapeBucket(read, read.ARCHIVE_S3_BUCKET);
  return read.ARCHIVE_DIR === undefined ? undefined : { kind: 'folder', folder: resolve(read.ARCHIVE_DIR) };
}

function shapeBucket(read: StorageVariables, bucket: string) {
  return {
    kind: 's3',
    bucket,
    region: read.S3_REGION,
    endpoint: read.S3_ENDPOINT,
    key:
      read.S3_ACCESS_KEY_ID !== undefined && read.S3_SECRET_ACCESS_KEY !== undefined
        ? { id: read.S3_ACCESS_KEY_ID, secret: read.S3_SECRET_ACCESS_KEY }
        : undefined,
  } as const;
}

export function storageComplaints(set: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = (name: string) => set[name] !== undefined;
  const complaints: string[] = [];
  if (set['NODE_ENV'] === 'production' && !isSet('S3_BUCKET') && !isSet('STORAGE_DIR')) {
    complaints.push('S3_BUCKET or STORAGE_DIR is needed in production');
  }
  if (isSet('S3_BUCKET') && isSet('STORAGE_DIR')) {
    complaints.push('S3_BUCKET and STORAGE_DIR exclude each other');
  }
  if (isSet('ARCHIVE_DIR') && isSet('ARCHIVE_S3_BUCKET')) {
    complaints.push('ARCHIVE_DIR and ARCHIVE_S3_BUCKET exclude each other');
  }
  for (const [name, other] of [
    ['ARCHIVE_DIR', 'STORAGE_DIR'],
    ['ARCHIVE_S3_BUCKET', 'S3_BUCKET'],
  ] as const) {
    if (isSet(name) && set[name] === set[other]) complaints.push(`${name} must not be ${other}`);
  }
  if (isSet('S3_ACCESS_KEY_ID') !== isSet('S3_SECRET_ACCESS_KEY')) {
    complaints.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together');
  }
  const orphans = ['S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].filter(isSet);
  if (!isSet('S3_BUCKET') && !isSet('ARCHIVE_S3_BUCKET'))
    complaints.push(...orphans.map((name) => `${name} is of no use without S3_BUCKET`));
  return complaints;
}
