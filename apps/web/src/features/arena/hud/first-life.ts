import type { ArenaEvent } from '../net/events.ts';

/** What a newcomer learns in the first life, in this order. */
export const LESSONS = ['move', 'eat', 'split', 'eject', 'portal'] as const;
export type Lesson = (typeof LESSONS)[number];

/** After this time a lesson ends by itself. */
export const LESSON_MS: { readonly [lesson in Lesson]: number } = {
  move: 6_000,
  eat: 15_000,
  split: 15_000,
  eject: 12_000,
  portal: 9_000,
};

/** Whether this event shows that the lesson was understood. */
export function isLearned(lesson: Lesson, event: ArenaEvent): boolean {
  switch (lesson) {
    case 'eat':
      return event.type === 'eaten' && event.isOwnEater;
    case 'split':
      return event.type === 'split';
    case 'eject':
      return event.type === 'ejected';
    case 'move':
    case 'portal':
      return false;
  }
}

/** Undefined after the last one. */
export function lessonAfter(lesson: Lesson): Lesson | undefined {
  return LESSONS[LESSONS.indexOf(lesson) + 1];
}
