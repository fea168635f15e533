// @vitest-environment happy-dom
import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { Verdict } from '@engulf/verify/checks';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render, unmount } from '../../testing/page.ts';
import { VerifyDialog } from './verify-dialog.tsx';
import type { VerifyAnswer } from './verify-messages.ts';

/** happy-dom has no workers; what runs in this one is tested in packages/verify. */
class SilentWorker {
  static readonly started: SilentWorker[] = [];
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();
  onmessage: ((event: { data: VerifyAnswer }) => void) | undefined;
  onerror: ((event: { message: string }) => void) | undefined;

  constructor() {
    SilentWorker.started.push(this);
  }
}

beforeEach(() => {
  SilentWorker.started.length = 0;
  vi.stubGlobal('Worker', SilentWorker);
});
afterEach(() => vi.unstubAllGlobals());

const open = (matchId = 'm1') => render(<VerifyDialog matchId={matchId} onClose={() => {}} />);
const worker = () => SilentWorker.started.at(-1)!;
const answer = (data: VerifyAnswer) => act(() => worker().onmessage!({ data }));
const steps = () => [...document.querySelectorAll('li')];
const states = () => steps().map((step) => step.querySelector('[role=img]')!.getAttribute('aria-label'));
const outcome = () => document.querySelector('[role=status], [role=alert]')!;
const watchLink = () => document.querySelector('a');

const match = {} as PublicMatch;
const checked = (change: Partial<Verdict>): VerifyAnswer => ({
  type: 'done',
  result: {
    kind: 'checked',
    match,
    verdict: { isRight: false, wrong: undefined, open: [], line: '', ...change },
  },
});

test('a worker is asked about the match, and the steps wait for it', async () => {
  await open();
  expect(worker().postMessage).toHaveBeenCalledExactlyOnceWith({
    matchId: 'm1',
    server: window.location.origin,
  });
  expect(states()).toEqual(Array.from({ length: 7 }, () => 'Waiting'));
  expect(outcome().textContent).toBe('');
});

test('each step shows its own report, and the replay how far it is', async () => {
  await open();
  const report = (report: (VerifyAnswer & { type: 'report' })['report']) =>
    answer({ type: 'report', report, finalTick: 3_000 });
  await report({ check: 'recording', state: 'running', what: '' });
  await report({ check: 'recording', state: 'fits', what: '84 kB' });
  await report({ check: 'commitment', state: 'wrong', what: 'another secret' });
  await report({ check: 'replay', state: 'running', what: '', tick: 1_200 });
  expect(states()).toEqual(['Passed', 'Failed', 'Waiting', 'Checking', 'Waiting', 'Waiting', 'Waiting']);
  expect(steps()[0]!.textContent).toContain('84 kB');
  expect(steps()[1]!.textContent).toContain('another secret');
  expect(steps()[3]!.textContent).toContain('tick 1,200 of 3,000');
});

test.each([
  [{ isRight: true }, 'Everything checks out.', 'status'],
  [{ open: ['the payouts'] }, 'Nothing is wrong so far, but something cannot be checked yet.', 'status'],
  [{ wrong: { check: 'replay', what: 'another hash' } }, 'This match fails the check.', 'alert'],
] as const)('a verdict %j says %j, and the match can be watched', async (verdict, text, role) => {
  await open();
  await answer(checked(verdict));
  expect([outcome().textContent, outcome().getAttribute('role')]).toEqual([text, role]);
  expect(watchLink()!.getAttribute('href')).toBe('/replay/m1');
});

test.each([
  ['running', 'This match is still running.'],
  ['unplayed', 'Nobody has played in this match'],
] as const)('a match that is %s has no steps and nothing to watch', async (kind, text) => {
  await open();
  await answer({ type: 'done', result: { kind, match } });
  expect(outcome().textContent).toContain(text);
  expect(steps()).toEqual([]);
  expect(watchLink()).toBeNull();
});

test('a server that does not answer is no verdict', async () => {
  await open();
  await answer({ type: 'failed', reason: 'fetch failed' });
  expect(outcome().textContent).toBe('The server did not send the match. Try again in a moment.');
  expect(watchLink()).toBeNull();
});

test('a worker that breaks down is no verdict either', async () => {
  await open();
  await act(() => worker().onerror!({ message: 'out of memory' }));
  expect(outcome().textContent).toContain('Try again');
});

test('another match is checked from the start, and a closed dialog checks nothing', async () => {
  await open('m1');
  const first = worker();
  await answer({ type: 'report', report: { check: 'recording', state: 'fits', what: '' }, finalTick: null });
  await open('m2');
  expect(first.terminate).toHaveBeenCalledOnce();
  expect(worker().postMessage.mock.calls[0]![0]).toMatchObject({ matchId: 'm2' });
  expect(states()).not.toContain('Passed');
  await unmount();
  expect(worker().terminate).toHaveBeenCalledOnce();
});
