import type { ArenaEvent } from '../net/events.ts';

/** What a newcomer does once, in this order. A portal that is announced comes before everything but moving. */
export const LESSONS = ['move', 'eat', 'split', 'virus', 'portal'] as const;
export type Lesson = (typeof LESSONS)[number];

/** What the page sees of the arena, a few times a second. Places are shares of the map's sides. */
export type Glimpse = {
  readonly type: 'glimpse';
  readonly nowMs: number;
  readonly own: { readonly left: number; readonly top: number } | undefined;
  readonly isNearVirus: boolean;
  readonly isPortalAnnounced: boolean;
};

export type Progress = {
  readonly lesson: Lesson;
  /** What is taught now: the lesson, or the portal. */
  readonly taught: Lesson;
  readonly from: Glimpse['own'];
  readonly crumbs: number;
  readonly splitAtMs: number | undefined;
  readonly virusSinceMs: number | undefined;
  /** Since when this lesson is being shown. */
  readonly sinceMs: number | undefined;
  readonly nowMs: number;
};

const MOVED_SHARE = 0.03;
const CRUMBS = 5;
/** A cell that is eaten so soon after a split was split onto. */
const SPLIT_KILL_MS = 2_500;
const BESIDE_VIRUS_MS = 1_500;
/** These need somebody else, or a virus, in reach: the guide goes on after this time. */
const PATIENCE_MS: { readonly [lesson in Lesson]?: number } = { split: 30_000, virus: 20_000 };

export function beginLesson(lesson: Lesson, nowMs = 0): Progress {
  return {
    lesson,
    taught: lesson,
    from: undefined,
    crumbs: 0,
    splitAtMs: undefined,
    virusSinceMs: undefined,
    sinceMs: undefined,
    nowMs,
  };
}

/** The guide after something has happened; undefined when it is over. */
export function learnFrom(progress: Progress, news: ArenaEvent | Glimpse): Progress | undefined {
  const { lesson, nowMs } = progress;
  switch (news.type) {
    case 'gameOver':
      return news.payload.cause === 'portal' ? undefined : beginLesson(lesson, nowMs);
    case 'eaten':
      return news.isOwnEater ? ateSomething(progress, news.prey === 'cell') : progress;
    case 'split':
      return { ...progress, splitAtMs: nowMs };
    case 'glimpse':
      return lookedAround(progress, news);
    default:
      return progress;
  }
}

function ateSomething(progress: Progress, isCell: boolean): Progress {
  const { lesson, crumbs, splitAtMs, nowMs } = progress;
  if (lesson === 'eat') return crumbs + 1 < CRUMBS ? { ...progress, crumbs: crumbs + 1 } : next(progress);
  const isSplitKill = isCell && splitAtMs !== undefined && nowMs - splitAtMs <= SPLIT_KILL_MS;
  return lesson === 'split' && isSplitKill ? next(progress) : progress;
}

function lookedAround(progress: Progress, glimpse: Glimpse): Progress {
  const { lesson } = progress;
  const { own, nowMs, isNearVirus, isPortalAnnounced } = glimpse;
  const seen: Progress = {
    ...progress,
    nowMs,
    from: progress.from ?? own,
    sinceMs: progress.sinceMs ?? nowMs,
    virusSinceMs: isNearVirus ? (progress.virusSinceMs ?? nowMs) : undefined,
    taught: isPortalAnnounced && lesson !== 'move' ? 'portal' : lesson,
  };
  return isDone(seen, own) ? next(seen) : seen;
}

function isDone({ lesson, from, virusSinceMs, sinceMs, taught, nowMs }: Progress, own: Glimpse['own']) {
  if (lesson === 'move')
    return from && own ? Math.hypot(own.left - from.left, own.top - from.top) > MOVED_SHARE : false;
  if (lesson === 'virus' && virusSinceMs !== undefined && nowMs - virusSinceMs >= BESIDE_VIRUS_MS)
    return true;
  const patienceMs = PATIENCE_MS[lesson];
  return taught === lesson && patienceMs !== undefined && nowMs - sinceMs! >= patienceMs;
}

/** The last lesson ends only by leaving. */
function next({ lesson, nowMs }: Progress): Progress {
  return beginLesson(LESSONS[LESSONS.indexOf(lesson) + 1] ?? 'portal', nowMs);
}

export function isLesson(text: string | undefined): text is Lesson {
  return LESSONS.some((lesson) => lesson === text);
}
