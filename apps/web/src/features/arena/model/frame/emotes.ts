import { EMOTES } from '@engulf/domain/chat/emotes';

/** How long an emote stays on its cell. */
const SHOWN_MS = 2_600;

export type ShownEmote = {
  readonly name: string;
  readonly text: string;
  readonly ageMs: number;
  readonly share: number;
};

/** The emotes that are on cells right now: one per player, the latest. */
export function createEmotes(): {
  note(name: string, emote: number, nowMs: number): void;
  /** `share` runs from 0 to 1 over an emote's time. */
  shown(nowMs: number): readonly ShownEmote[];
} {
  const latest = new Map<string, { readonly text: string; readonly sinceMs: number }>();
  return {
    note(name, emote, nowMs) {
      const text = EMOTES[emote];
      if (text !== undefined) latest.set(name, { text, sinceMs: nowMs });
    },
    shown(nowMs) {
      const emotes: ShownEmote[] = [];
      for (const [name, { text, sinceMs }] of latest) {
        const ageMs = nowMs - sinceMs;
        if (ageMs >= SHOWN_MS) latest.delete(name);
        else emotes.push({ name, text, ageMs, share: ageMs / SHOWN_MS });
      }
      return emotes;
    },
  };
}
