import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenWindow } from './open-window.ts';
import { closedText, closesAtMs, isLobbyOpen, type LobbySchedule, nextWindow } from './opening-hours.ts';

const at = (text: string) => Date.parse(text);
const NOW = at('2026-11-15T12:00:00Z');
const window = (startUtc: string, endUtc: string): OpenWindow => ({ startUtc, endUtc });
const lobby = (windows?: OpenWindow[], changes: Partial<LobbySchedule> = {}): LobbySchedule => ({
  lobbyType: 'normal',
  isLocked: false,
  dailyOpenWindows: windows,
  ...changes,
});

const PAST = window('2026-11-14T10:00Z', '2026-11-14T11:00Z');
const RUNNING = window('2026-11-15T11:00Z', '2026-11-15T13:00Z');
const AHEAD = window('2026-11-15T22:00Z', '2026-11-16T02:00Z');
const NEXT_YEAR = window('2027-01-02T09:05Z', '2027-01-02T10:00Z');
const NONSENSE = window('whenever', 'later');
const BACKWARDS = window('2026-11-20T00:00Z', '2026-11-19T00:00Z');
const INSTANT = window('2026-11-15T12:00Z', '2026-11-15T12:00Z');
const NIGHT = window('22:00', '02:00');

type State = { open: boolean; upcoming: boolean; text: string | undefined };

describe('a lobby at noon', () => {
  test.each<[string, LobbySchedule, State]>([
    ['without windows', lobby([]), { open: true, upcoming: false, text: undefined }],
    ['without the attribute', lobby(), { open: true, upcoming: false, text: undefined }],
    [
      'with the attribute null',
      lobby(undefined, { dailyOpenWindows: null }),
      { open: true, upcoming: false, text: undefined },
    ],
    [
      'semi-private without the attribute',
      lobby(undefined, { lobbyType: 'semi-private' }),
      { open: false, upcoming: false, text: 'COMING SOON' },
    ],
    [
      'semi-private with an empty list',
      lobby([], { lobbyType: 'semi-private' }),
      { open: true, upcoming: false, text: undefined },
    ],
    [
      'semi-private in a window',
      lobby([RUNNING], { lobbyType: 'semi-private' }),
      { open: true, upcoming: false, text: undefined },
    ],
    [
      'locked in a window',
      lobby([RUNNING], { isLocked: true }),
      { open: false, upcoming: false, text: 'COMING SOON' },
    ],
    [
      'locked before a window',
      lobby([AHEAD], { isLocked: true }),
      { open: false, upcoming: true, text: 'COMING SOON' },
    ],
    ['in a window', lobby([PAST, RUNNING]), { open: true, upcoming: false, text: undefined }],
    ['after the last', lobby([PAST]), { open: false, upcoming: false, text: 'COMING SOON' }],
    [
      'before a window',
      lobby([PAST, NEXT_YEAR, AHEAD]),
      { open: false, upcoming: true, text: 'Opens at: 15 Nov 22:00 UTC' },
    ],
    [
      'before a window next year',
      lobby([NEXT_YEAR]),
      { open: false, upcoming: true, text: 'Opens at: 2 Jan 2027 09:05 UTC' },
    ],
    [
      'before a nightly window',
      lobby([NIGHT]),
      { open: false, upcoming: true, text: 'Opens at: 15 Nov 22:00 UTC' },
    ],
    [
      'with a past and a nightly window',
      lobby([PAST, NIGHT]),
      { open: false, upcoming: true, text: 'Opens at: 15 Nov 22:00 UTC' },
    ],
    [
      'with a window nobody can read',
      lobby([NONSENSE]),
      { open: false, upcoming: false, text: 'Lobby is open at whenever – later' },
    ],
    [
      'with a blank window',
      lobby([window('', ' '), window('22h', '')]),
      { open: false, upcoming: false, text: 'COMING SOON' },
    ],
    [
      'with a window that ends before it starts',
      lobby([BACKWARDS]),
      {
        open: false,
        upcoming: false,
        text: 'Lobby is open at 2026-11-20T00:00Z – 2026-11-19T00:00Z',
      },
    ],
    [
      'with a past window and nonsense',
      lobby([NONSENSE, PAST]),
      { open: false, upcoming: false, text: 'COMING SOON' },
    ],
    [
      'with nonsense and a window ahead',
      lobby([NONSENSE, BACKWARDS, AHEAD]),
      { open: false, upcoming: true, text: 'Opens at: 15 Nov 22:00 UTC' },
    ],
    ['at its only instant', lobby([INSTANT]), { open: true, upcoming: false, text: undefined }],
  ])('%s', (_case, schedule, state) => {
    expect({
      open: isLobbyOpen(schedule, NOW),
      upcoming: nextWindow(schedule, NOW) !== undefined,
      text: closedText(schedule, NOW),
    }).toEqual(state);
  });
});

describe('the edges of a window', () => {
  test.each([
    ['2026-11-15T10:59:59.999Z', false],
    ['2026-11-15T11:00:00.000Z', true],
    ['2026-11-15T12:59:59.999Z', true],
    ['2026-11-15T13:00:00.000Z', false],
  ])('dated, at %s', (time, open) => {
    expect(isLobbyOpen(lobby([RUNNING]), at(time))).toBe(open);
  });

  test.each([
    ['2026-11-15T21:59:59.999Z', false],
    ['2026-11-15T22:00:00.000Z', true],
    ['2026-11-16T01:00:00.000Z', true],
    ['2026-11-16T01:59:59.999Z', true],
    ['2026-11-16T02:00:00.000Z', false],
  ])('nightly, at %s', (time, open) => {
    expect(isLobbyOpen(lobby([NIGHT]), at(time))).toBe(open);
  });

  test.each([
    [lobby([INSTANT]), NOW - 1, 'Opens at: 15 Nov 12:00 UTC'],
    [lobby([INSTANT]), NOW, undefined],
    [lobby([INSTANT]), NOW + 1, 'COMING SOON'],
    [lobby([window('12:00', '12:00')]), NOW - 1, 'Opens at: 15 Nov 12:00 UTC'],
    [lobby([window('12:00', '12:00')]), NOW, undefined],
    [lobby([window('12:00', '12:00')]), NOW + 1, 'Opens at: 16 Nov 12:00 UTC'],
  ])('of an instant (case %#)', (schedule, nowMs, text) => {
    expect(isLobbyOpen(schedule, nowMs)).toBe(text === undefined);
    expect(closedText(schedule, nowMs)).toBe(text);
  });

  test('a dated window is past from its end on', () => {
    expect(closedText(lobby([RUNNING]), at('2026-11-15T12:59:59.999Z'))).toBeUndefined();
    expect(closedText(lobby([RUNNING]), at('2026-11-15T13:00Z'))).toBe('COMING SOON');
  });
});

describe('nextWindow', () => {
  test('is the earliest of both kinds', () => {
    expect(nextWindow(lobby([NEXT_YEAR, NIGHT, PAST, NONSENSE]), NOW)).toEqual({
      startMs: at('2026-11-15T22:00Z'),
      endMs: at('2026-11-16T02:00Z'),
    });
  });

  test('does not count the one that starts this instant', () => {
    expect(nextWindow(lobby([INSTANT]), NOW)).toBeUndefined();
  });
});

describe('closesAtMs', () => {
  test.each<[string, LobbySchedule, string | undefined]>([
    ['the end of the running window', lobby([RUNNING]), '2026-11-15T13:00Z'],
    ['the later end of overlapping ones', lobby([RUNNING, window('10:00', '14:30')]), '2026-11-15T14:30Z'],
    [
      'the end of a chain without gaps',
      lobby([window('08:00', '13:00'), window('13:00', '20:00')]),
      '2026-11-15T20:00Z',
    ],
    [
      'past a nightly bridge into tomorrow',
      lobby([window('08:00', '22:00'), window('22:00', '06:00')]),
      '2026-11-16T06:00Z',
    ],
    [
      'after days that dated windows bridge',
      lobby([
        window('08:00', '22:00'),
        window('22:00', '06:00'),
        window('2026-11-16T06:00Z', '2026-11-16T08:00Z'),
        window('2026-11-17T05:00Z', '2026-11-17T09:00Z'),
        window('2026-11-18T06:00Z', '2026-11-18T07:00Z'),
        window('2026-11-18T07:00Z', '2026-11-18T08:00Z'),
      ]),
      '2026-11-19T06:00Z',
    ],
    ['never, when open all day', lobby([window('00:00', '24:00')]), undefined],
    [
      'never, when two windows make a day',
      lobby([window('08:00', '22:00'), window('22:00', '08:00')]),
      undefined,
    ],
    ['never, without windows', lobby([]), undefined],
    ['not, when closed', lobby([AHEAD]), undefined],
    ['not, when locked', lobby([RUNNING], { isLocked: true }), undefined],
  ])('%s', (_case, schedule, end) => {
    expect(closesAtMs(schedule, NOW)).toBe(end === undefined ? undefined : at(end));
  });
});

describe('for any windows', () => {
  const dated = fc
    .tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -100, max: 3000 }))
    .map(([startMinute, minutes]) => {
      const startMs = NOW + startMinute * 60_000;
      return window(new Date(startMs).toISOString(), new Date(startMs + minutes * 60_000).toISOString());
    });
  const timeOfDay = fc
    .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const daily = fc.tuple(timeOfDay, timeOfDay).map(([start, end]) => window(start, end));
  const windows = fc.array(fc.oneof(dated, daily, fc.constant(NONSENSE)), { maxLength: 6 });
  const moment = fc.integer({ min: NOW - 3 * 86_400_000, max: NOW + 3 * 86_400_000 });

  test('only a closed lobby has a text, and a locked one is always closed', () => {
    fc.assert(
      fc.property(windows, moment, (list, nowMs) => {
        const schedule = lobby(list);
        const open = isLobbyOpen(schedule, nowMs);
        expect(closedText(schedule, nowMs) === undefined).toBe(open);
        expect(isLobbyOpen({ ...schedule, isLocked: true }, nowMs)).toBe(false);
      }),
    );
  });

  test('the lobby is open when the next window starts', () => {
    fc.assert(
      fc.property(windows, moment, (list, nowMs) => {
        const next = nextWindow(lobby(list), nowMs);
        if (!next) return;
        expect(next.startMs).toBeGreaterThan(nowMs);
        expect(isLobbyOpen(lobby(list), next.startMs)).toBe(true);
      }),
    );
  });

  test('the lobby stays open until it closes', () => {
    fc.assert(
      fc.property(windows, moment, fc.double({ min: 0, max: 1, noNaN: true }), (list, nowMs, part) => {
        const schedule = lobby(list);
        const closeMs = closesAtMs(schedule, nowMs);
        if (closeMs === undefined) return;
        expect(closeMs).toBeGreaterThan(nowMs);
        expect(isLobbyOpen(schedule, closeMs)).toBe(false);
        expect(isLobbyOpen(schedule, closeMs - 1)).toBe(true);
        expect(isLobbyOpen(schedule, nowMs + Math.floor((closeMs - 1 - nowMs) * part))).toBe(true);
      }),
    );
  });
});

describe('a lobby that is drained', () => {
  const draining = (windows: OpenWindow[] | undefined, ms: number) =>
    lobby(windows, { drainsAtMs: NOW + ms });

  test('is open until then, and closed from then on', () => {
    expect(isLobbyOpen(draining(undefined, 1), NOW)).toBe(true);
    expect(isLobbyOpen(draining(undefined, 0), NOW)).toBe(false);
    expect(closedText(draining([AHEAD], 0), NOW)).toBe('COMING SOON');
  });

  test('closes then, or with its window if that ends first', () => {
    expect(closesAtMs(draining(undefined, 60_000), NOW)).toBe(NOW + 60_000);
    expect(closesAtMs(draining([RUNNING], 60_000), NOW)).toBe(NOW + 60_000);
    expect(closesAtMs(draining([RUNNING], 7_200_000), NOW)).toBe(at('2026-11-15T13:00:00Z'));
    expect(closesAtMs(draining([RUNNING], 0), NOW)).toBeUndefined();
  });
});
