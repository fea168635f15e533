import { expect, test } from 'vitest';
import { describeFailure, type Failure } from '../errors/registry.ts';
import type { Result } from '../errors/result.ts';
import { avatarHashOf, avatarUrlOf, validateAvatarFile, validateAvatarSize } from './avatar.ts';

const textOf = (result: Result<undefined, Failure>) =>
  result.ok ? 'fine' : describeFailure(result.error).text;
const MEGABYTE = 1024 * 1024;

test.each([
  ['image/png', 1_000, 'fine'],
  ['image/jpeg', 5 * MEGABYTE, 'fine'],
  ['image/png', 5 * MEGABYTE + 1, 'Image must be less than 5 MB'],
  ['image/png', 0, 'Invalid image file'],
  ['image/gif', 1_000, 'Only PNG or JPG images are allowed.'],
  ['image/svg+xml', 1_000, 'Only PNG or JPG images are allowed.'],
  [undefined, 1_000, 'Only PNG or JPG images are allowed.'],
])('a file of type %s with %i bytes: %s', (mimeType, bytes, text) => {
  expect(textOf(validateAvatarFile({ mimeType, bytes }))).toBe(text);
});

test.each([
  [128, 128, 'fine'],
  [4096, 4096, 'fine'],
  [127, 500, 'Image must be greater than 128 x 128 pixels.'],
  [500, 127, 'Image must be greater than 128 x 128 pixels.'],
  [4097, 500, 'Image must be less than 4096 x 4096 pixels.'],
  [500, 4097, 'Image must be less than 4096 x 4096 pixels.'],
  [0, 500, 'Invalid image file'],
  [500, Number.NaN, 'Invalid image file'],
])('a picture of %i x %i pixels: %s', (widthPx, heightPx, text) => {
  expect(textOf(validateAvatarSize({ widthPx, heightPx }))).toBe(text);
});

test('only addresses of our own pictures have a hash', () => {
  const hash = 'ab'.repeat(32);
  expect(avatarHashOf(avatarUrlOf(hash))).toBe(hash);
  for (const url of [
    null,
    '',
    `https://evil.example/avatars/${hash}.png`,
    `//evil.example/avatars/${hash}.png`,
    `/avatars/${hash}.svg`,
    `/avatars/../${hash}.png`,
    `/avatars/${hash.toUpperCase()}.png`,
  ]) {
    expect(avatarHashOf(url), String(url)).toBeUndefined();
  }
});
