// @vitest-environment happy-dom

import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { Verdict } from '@engulf/verify/checks';
import { CHECKS, type CheckName } from '@engulf/verify/checks';
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

const open = (matchId = 'm1', userId?: string) =>
  render(<VerifyDialog matchId={matchId} userId={userId} onClose={() => {}} />);
const worker = () => SilentWorker.started.at(-1)!;
const answer = (data: VerifyAnswer) => act(() => worker().onmessage!({ data }));
const steps = () => [...document.querySelectorAll('li')];
const states = () => steps().map((step) => step.querySelector('[role=img]')!.getAttribute('aria-label'));
const outcome = () => document.querySelector('[role=status], [role=alert]')!;
const watchLink = () => document.querySelector('a');

const match = {
  tokenSymbol: 'SOL',
  tokenDecimals: 9,
  entries: [{ id: 'e1', player: { id: 'me', name: 'Me' }, stake: '47500000', amount: '142500000' }],
} as PublicMatch;
const checked = (change: Partial<Verdict>): VerifyAnswer => ({
  type: 'done',
  result: {
    kind: 'checked',
    match,
    verdict: { isRight: false, wrong: undefined, open: [], notes: [], line: '', ...change },
  },
});

test('a worker is asked about the match, and the steps wait for it', async () => {
  await open();
  expect(worker().postMessage).toHaveBeenCalledExactlyOnceWith({
    matchId: 'm1',
    server: window.location.origin,
    rpcUrl: undefined,
  });
  expect(states()).toEqual(CHECKS.map(() => 'Waiting'));
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
  const reported: Partial<Record<CheckName, string>> = {
    recording: 'Passed',
    commitment: 'Failed',
    replay: 'Checking',
  };
  expect(states()).toEqual(CHECKS.map((check) => reported[check] ?? 'Waiting'));
  expect(steps()[0]!.textContent).toContain('84 kB');
  expect(steps()[1]!.textContent).toContain('another secret');
  expect(steps()[CHECKS.indexOf('replay')]!.textContent).toContain('48 s of 2 min played');
});

test.each([
  [{ isRight: true }, 'Everything checks out.', 'status'],
  [
    { open: ['the payouts'] },
    'Nothing is wrong so far, but something could not be checked. Each question mark says why.',
    'status',
  ],
  [{ wrong: { check: 'replay', what: 'another hash' } }, 'This match fails the check.', 'alert'],
] as const)('a verdict %j says %j, and the match can be watched', async (verdict, text, role) => {
  await open();
  await answer(checked(verdict));
  expect([outcome().textContent, outcome().getAttribute('role')]).toEqual([text, role]);
  expect(watchLink()!.getAttribute('href')).toBe('/replay/m1');
});

test('a match that goes on says how far it checks out, what is not known yet, and who can read it already', async () => {
  const soFar = { seconds: 1_200, later: ['more'], settled: new Map([['e1', 142_500_000n]]) };
  await open('m1', 'me');
  const report = { check: 'settlement', state: 'fits', what: 'settled', later: ['who plays on'] } as const;
  await answer({ type: 'report', report, finalTick: 30_000 });
  await answer(checked({ soFar }));
  expect([outcome().textContent, outcome().getAttribute('role')]).toEqual([
    expect.stringContaining('The first 20 min check out. The match goes on'),
    'status',
  ]);
  expect(outcome().className).not.toContain('right');
  expect(steps()[CHECKS.indexOf('settlement')]!.textContent).toContain('Not yet: who plays on');
  expect(document.body.textContent).toContain('You paid 0.0475 SOL into the pool and got 0.1425 SOL.');
  // There is nothing to watch before the end.
  expect(watchLink()).toBeNull();

  await answer(checked({ soFar: { ...soFar, settled: new Map() } }));
  expect(document.body.textContent).toContain('What you got can be checked ten to twenty minutes after');
  expect(document.body.textContent).not.toContain('got 0.1425 SOL');
  await answer(checked({ soFar, open: ['the node does not answer'] }));
  expect(outcome().textContent).toContain('something could not be checked');
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

test('a player reads what they paid and got, and strangers do not', async () => {
  await open('m1', 'me');
  await answer(checked({ isRight: true }));
  expect(document.body.textContent).toContain('You paid 0.0475 SOL into the pool and got 0.1425 SOL.');
  await open('m1', 'somebody');
  expect(document.body.textContent).not.toContain('You paid');
});

test("a node of one's own is asked from the start, but nothing that is not an address", async () => {
  await open();
  await answer(checked({ open: ['the node does not have 1 payment'] }));
  const [field, button] = [document.querySelector('input')!, document.querySelector('form button')!];
  const name = (url: string) =>
    act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, url);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  await name('javascript:alert(1)');
  await act(async () => (button as HTMLButtonElement).click());
  expect(SilentWorker.started).toHaveLength(1);
  await name('https://node.example');
  await act(async () => (button as HTMLButtonElement).click());
  expect(SilentWorker.started).toHaveLength(2);
  expect(worker().postMessage.mock.calls[0]![0]).toMatchObject({ rpcUrl: 'https://node.example' });
});
