import { describe, expect, it } from 'vitest';
import { type AvatarImage, validateAvatar } from './avatar.ts';
import { describeFailure } from './errors/registry.ts';

const GOOD: AvatarImage = { mimeType: 'image/png', bytes: 1000, widthPx: 512, heightPx: 512 };

describe('validateAvatar', () => {
  it.each<[string, Partial<AvatarImage>]>([
    ['a JPG', { mimeType: 'image/jpeg' }],
    ['exactly 5 MB', { bytes: 5 * 1024 * 1024 }],
    ['the smallest', { widthPx: 128, heightPx: 128 }],
    ['the biggest', { widthPx: 4096, heightPx: 4096 }],
  ])('accepts %s', (_case, changes) => {
    const image = { ...GOOD, ...changes };
    expect(validateAvatar(image)).toEqual({ ok: true, value: image });
  });

  it.each<[Partial<AvatarImage>, string]>([
    [{ mimeType: 'image/gif' }, 'Only PNG or JPG images are allowed.'],
    [{ mimeType: 'image/svg+xml' }, 'Only PNG or JPG images are allowed.'],
    [{ bytes: 5 * 1024 * 1024 + 1 }, 'Image must be less than 5 MB'],
    [{ widthPx: 127 }, 'Image must be greater than 128 x 128 pixels.'],
    [{ heightPx: 127 }, 'Image must be greater than 128 x 128 pixels.'],
    [{ widthPx: 4097 }, 'Image must be less than 4096 x 4096 pixels.'],
    [{ heightPx: 4097 }, 'Image must be less than 4096 x 4096 pixels.'],
    [{ widthPx: 0 }, 'Invalid image file'],
    [{ heightPx: Number.NaN }, 'Invalid image file'],
  ])('refuses %j', (changes, text) => {
    const result = validateAvatar({ ...GOOD, ...changes });
    expect(result.ok ? '' : describeFailure(result.error).text).toBe(text);
  });
});
