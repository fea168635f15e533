import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaymentNews } from './payment-news.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return over;
}

test('a wait ends with news of its own payment, and only of that', async () => {
  const news = createPaymentNews();
  const wait = news.wait('mine', 5_000);
  news.announce('other');
  expect(await isOver(wait)).toBe(false);
  news.announce('mine');
  expect(await isOver(wait)).toBe(true);
});

test('news from before the wait counts, once', async () => {
  const news = createPaymentNews();
  news.announce('mine');
  expect(await isOver(news.wait('mine', 5_000))).toBe(true);
  expect(await isOver(news.wait('mine', 5_000))).toBe(false);
});

test('without news a wait takes its time', async () => {
  const wait = createPaymentNews().wait('mine', 5_000);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(await isOver(wait)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver(wait)).toBe(true);
});
