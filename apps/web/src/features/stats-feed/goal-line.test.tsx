// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { render } from '../../testing/page.ts';
import { GoalLine } from './goal-line.tsx';

const text = () => document.body.textContent!;

test('says what is to do, how far one is, and what it brings', async () => {
  await render(<GoalLine goal={{ kind: 'kills', target: 5, progress: 2, goalDays: 0 }} />);
  expect(text()).toContain('Eat 5 players');
  expect(text()).toContain('Eat 5 players, 2 of 5');
  expect(text()).toContain('1 more day until the glass frame');
});

test('a goal that is reached is so, and the last frame is the last', async () => {
  await render(<GoalLine goal={{ kind: 'exits', target: 1, progress: 3, goalDays: 25 }} />);
  expect(text()).toContain('Reached');
  expect(text()).toContain('gold frame');
  expect(text()).not.toContain('until');
});
