import type { StorageConfig } from '../config/storage-config.ts';
import { assertStorageKey, isSame, type Storage } from './storage.ts';

const CONNECTION_TIMEOUT_MS = 3_000;
/** `requestTimeout`, which the library also has, only logs a warning. */
const MAX_SILENCE_MS = 10_000;

/** Any service that speaks Amazon's protocol. Its library is large and loaded only here. */
export async function openS3Storage(
  { bucket, region, endpoint, key }: Extract<StorageConfig, { kind: 's3' }>,
  maxSilenceMs = MAX_SILENCE_MS,
): Promise<Storage> {
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } = await import(
    '@aws-sdk/client-s3'
  );
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(key && { credentials: { accessKeyId: key.id, secretAccessKey: key.secret } }),
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, socketTimeout: maxSilenceMs },
    // Services other than Amazon's do not all know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const at = (name: string) => {
    assertStorageKey(name);
    return { Bucket: bucket, Key: name };
  };
  const get: Storage['get'] = async (name) => {
    try {
      const { Body } = await client.send(new GetObjectCommand(at(name)));
      return await Body?.transformToByteArray();
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  };
  return {
    put: async (name, bytes, contentType) => {
      await client.send(new PutObjectCommand({ ...at(name), Body: bytes, ContentType: contentType }));
    },
    putNew: async (name, bytes, contentType) => {
      // Not every service knows the condition, so look first.
      const found = await get(name);
      if (found) return isSame(found, bytes);
      try {
        const object = { ...at(name), Body: bytes, ContentType: contentType, IfNoneMatch: '*' };
        await client.send(new PutObjectCommand(object));
        return true;
      } catch (error) {
        if ((error as Error).name !== 'PreconditionFailed') throw error;
        return isSame(await get(name), bytes);
      }
    },
    get,
    remove: async (name) => {
      await client.send(new DeleteObjectCommand(at(name)));
    },
  };
}
