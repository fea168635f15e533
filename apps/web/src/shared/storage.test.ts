// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { storage } from './storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

describe('storage', () => {
  test('keeps the session id apart from other tabs and all else under the documented keys', () => {
    storage.write('sessionId', 's1');
    storage.write('txSignature', 'sig');
    storage.write('audioVolume', '0.4');
    expect(sessionStorage.getItem('sessionId')).toBe('s1');
    expect(localStorage.getItem('sessionId')).toBeNull();
    expect(localStorage.getItem('txSignature')).toBe('sig');
    expect(localStorage.getItem('audio_volume')).toBe('0.4');
  });

  test('removes several at once', () => {
    storage.write('sessionId', 's1');
    storage.write('joinTicket', 't');
    storage.remove('sessionId', 'joinTicket');
    expect(storage.read('sessionId')).toBeUndefined();
    expect(storage.read('joinTicket')).toBeUndefined();
  });

  test('works without a browser that allows it', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    storage.write('lobby', 'l1');
    expect(storage.read('lobby')).toBeUndefined();
  });
});
