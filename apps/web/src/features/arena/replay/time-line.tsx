import { formatExactAmount } from '@engulf/domain/money/amount';
import type { PlayerId } from '@engulf/sim/players';
import { Slider } from 'radix-ui';
import { memo } from 'react';
import type { Mark } from './match-index.ts';
import { nameOf, type ReplayState, useReplay } from './replay-store.ts';
import { REPLAY_TEXT } from './text.ts';
import styles from './time-line.module.css';
import { timeText } from './time-text.ts';

type TimeLineProps = { onSeek: (tick: number) => void };

/** Where the film stands, what happens in it, and a way to any moment. */
export function TimeLine({ onSeek }: TimeLineProps) {
  const tick = useReplay((state) => Math.round(state.tick));
  const finalTick = useReplay((state) => state.finalTick);
  const ticksPerSecond = useReplay((state) => state.ticksPerSecond);
  const indexedTick = useReplay((state) => state.indexedTick);
  const now = timeText(tick, ticksPerSecond);
  const end = timeText(finalTick, ticksPerSecond);
  return (
    <div className={styles.line}>
      <span className={styles.time}>{now}</span>
      <div className={styles.field}>
        <Slider.Root
          className={styles.slider}
          min={0}
          max={Math.max(1, finalTick)}
          step={ticksPerSecond}
          value={[tick]}
          onValueChange={([next]) => next !== undefined && onSeek(next)}
        >
          <Slider.Track className={styles.track}>
            <span className={styles.indexed} style={{ width: share(indexedTick, finalTick) }} />
            <Slider.Range className={styles.range} />
          </Slider.Track>
          <Slider.Thumb
            className={styles.thumb}
            aria-label={REPLAY_TEXT.controls.time}
            aria-valuetext={REPLAY_TEXT.controls.timeText(now, end)}
          />
        </Slider.Root>
        <Marks onSeek={onSeek} />
      </div>
      <span className={styles.time}>{end}</span>
    </div>
  );
}

/** Clicking a mark jumps to a moment before it, to show how it came about. */
const LEAD_SECONDS = 2;

/** There may be hundreds, and they change rarely. */
const Marks = memo(function Marks({ onSeek }: TimeLineProps) {
  const state = useReplay(selectMarks);
  const { marks, finalTick, ticksPerSecond, followed } = state;
  return (
    <div className={styles.marks} data-following={followed !== undefined}>
      {marks.map((mark) => (
        <button
          key={keyOfMark(mark)}
          type="button"
          tabIndex={-1}
          className={styles.mark}
          data-kind={kindOf(mark, followed)}
          data-own={isAbout(mark, followed)}
          style={{ left: share(mark.tick, finalTick) }}
          title={REPLAY_TEXT.marks.at(state.describe(mark), timeText(mark.tick, ticksPerSecond))}
          onClick={() => onSeek(mark.tick - LEAD_SECONDS * ticksPerSecond)}
        />
      ))}
    </div>
  );
});

/** The same object until something that the marks show has changed. */
let lastMarks: { readonly of: ReplayState; readonly value: ReturnType<typeof marksIn> } | undefined;
function selectMarks(state: ReplayState) {
  const of = lastMarks?.of;
  const isSame = of && of.marks === state.marks && of.followed === state.followed && of.match === state.match;
  if (!isSame) lastMarks = { of: state, value: marksIn(state) };
  return lastMarks!.value;
}

function marksIn(state: ReplayState) {
  const { marks, finalTick, ticksPerSecond, followed } = state;
  return { marks, finalTick, ticksPerSecond, followed, describe: (mark: Mark) => describeMark(state, mark) };
}

function describeMark(state: ReplayState, mark: Mark): string {
  const { marks } = REPLAY_TEXT;
  switch (mark.kind) {
    case 'kill':
      return marks.kill(nameOf(state, mark.killer), nameOf(state, mark.victim));
    case 'cashout': {
      const { tokenSymbol: symbol, tokenDecimals: decimals } = state.match!;
      const amount = `${formatExactAmount(mark.amount, { symbol, decimals })} ${symbol}`;
      return marks.cashout(nameOf(state, mark.player), amount);
    }
    case 'wave':
      return marks.wave(mark.count);
  }
}

/** A kill is marked as a death of the followed player; if nobody is followed, of any person. */
function kindOf(mark: Mark, followed: PlayerId | undefined): 'kill' | 'death' | 'cashout' | 'wave' {
  if (mark.kind !== 'kill') return mark.kind;
  const isDeath = followed === undefined ? !mark.isBot : mark.victim === followed;
  return isDeath ? 'death' : 'kill';
}

function isAbout(mark: Mark, followed: PlayerId | undefined): boolean {
  if (mark.kind === 'wave') return true;
  if (mark.kind === 'cashout') return followed === undefined || mark.player === followed;
  return followed === undefined || mark.victim === followed || mark.killer === followed;
}

function keyOfMark(mark: Mark): string {
  return `${mark.kind}${mark.tick}${mark.kind === 'kill' ? mark.victim : mark.kind === 'cashout' ? mark.player : ''}`;
}

function share(tick: number, finalTick: number): string {
  return `${(100 * tick) / Math.max(1, finalTick)}%`;
}
