// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../testing/fixtures.ts';
import { entryRecord, SEAT_ITEMS } from './entry-record.ts';
import { createSettings, settings } from './settings.ts';
import { storage } from './storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

const SEED = 'ab'.repeat(32);

describe('settings', () => {
  test('a written setting is stored under its key and read back on the next visit', () => {
    const over = memoryStorage();
    createSettings(over).write('walletName', 'Burner');
    expect(over.items).toEqual(new Map([['wallet_name', 'Burner']]));
    expect(createSettings(over).read('walletName')).toBe('Burner');
  });

  test.each(['', 'xyz', SEED.toUpperCase()])('an invalid stored value %j reads as the default', (stored) => {
    const over = memoryStorage();
    over.write('burner_seed', stored);
    expect(createSettings(over).read('burnerSeed')).toBeUndefined();
    over.write('burner_seed', SEED);
    expect(createSettings(over).read('burnerSeed')).toBe(SEED);
  });

  test.each([
    ['0', 0],
    ['0.73', 0.73],
    ['1', 1],
    ['1.01', 0.2],
    ['-0.1', 0.2],
    ['loud', 0.2],
    ['', 0.2],
    ['NaN', 0.2],
  ])('a stored volume of %j is read as %d', (stored, volume) => {
    const over = memoryStorage();
    over.write('audio_volume', stored);
    expect(createSettings(over).read('audioVolume')).toBe(volume);
  });

  test('the settings of the arena have their defaults', () => {
    const some = createSettings(memoryStorage());
    const names = [
      'showBorder',
      'showMass',
      'roundFood',
      'darkMode',
      'continuity',
      'backgroundColor',
      'lineColor',
      'splitRedFlash',
      'splitYellowRipple',
    ] as const;
    expect(names.map((name) => some.read(name))).toEqual([
      true,
      true,
      true,
      true,
      false,
      undefined,
      undefined,
      true,
      false,
    ]);
  });

  test.each(['yes', '1', ''])('a stored switch of %j reads as the default', (stored) => {
    const over = memoryStorage();
    over.write('split_red_flash', stored);
    expect(createSettings(over).read('splitRedFlash')).toBe(true);
  });

  test('a reset setting is removed and reads as the default', () => {
    const over = memoryStorage();
    const some = createSettings(over);
    some.write('lobby', 'mitosis');
    some.reset('lobby');
    expect(over.items.size).toBe(0);
    expect(some.read('lobby')).toBeUndefined();
  });

  test('subscribers hear of every change until they unsubscribe', () => {
    const some = createSettings(memoryStorage());
    const onChange = vi.fn();
    const unsubscribe = some.subscribe(onChange);
    some.write('lobby', 'mitosis');
    some.reset('lobby');
    unsubscribe();
    some.write('lobby', 'petri');
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  test('a setting lasts for the visit where the browser denies storage', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    settings.write('lobby', 'mitosis');
    expect(settings.read('lobby')).toBe('mitosis');
    expect(storage.read('lobby')).toBeUndefined();
  });
});

describe('the entry record', () => {
  test('uses the documented keys and keeps the session id per tab', () => {
    entryRecord.write('sessionId', 's1');
    entryRecord.write('signature', 'sig');
    entryRecord.write('joinTicket', 't');
    expect(sessionStorage.getItem('sessionId')).toBe('s1');
    expect(localStorage.getItem('sessionId')).toBeNull();
    expect(localStorage.getItem('txSignature')).toBe('sig');
    entryRecord.remove(...SEAT_ITEMS);
    expect(sessionStorage.length).toBe(0);
    expect(localStorage.getItem('joinTicket')).toBeNull();
    expect(localStorage.getItem('txSignature')).toBe('sig');
  });
});
