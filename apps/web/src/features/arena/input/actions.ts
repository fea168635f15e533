import { EMOTES } from '@engulf/domain/chat/emotes';
import { type Bindings, keyNameOfCode, storedBindings } from './bindings.ts';

export type Role = 'player' | 'spectator';

type Action = {
  /** `KeyboardEvent.code` of every key that triggers it. */
  readonly codes: readonly string[];
  /** The key as hints show it. */
  readonly keyName: string;
  readonly label: string;
  readonly roles: readonly Role[];
  /** In whose bar of key hints it is listed. */
  readonly hintFor?: Role;
  /** Repeats while held, at our own pace: keyboards differ from machine to machine. */
  readonly repeatEveryMs?: number;
};

/** Direction of each key that pans the spectator's camera. */
const PAN_KEYS: { readonly [code: string]: { readonly x: number; readonly y: number } } = {
  KeyW: { x: 0, y: -1 },
  KeyA: { x: -1, y: 0 },
  KeyS: { x: 0, y: 1 },
  KeyD: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowRight: { x: 1, y: 0 },
};

const EMOTE_KEYS: readonly string[] = EMOTES.map((_, index) => `Digit${index + 1}`);

/** The number of the emote that a key stands for. */
export function emoteOf(code: string): number {
  return EMOTE_KEYS.indexOf(code);
}

const STEER_KEYS = ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'] as const;

/** Where held arrow keys steer: −1, 0 or 1 on each axis. */
export function steerDirection(held: ReadonlySet<string>): { readonly x: number; readonly y: number } {
  return panDirection(new Set(STEER_KEYS.filter((code) => held.has(code))));
}

/** Actions whose key the player may choose; panning takes eight keys, and F3 is for reports. */
export const BINDABLE = [
  'eject',
  'split',
  'leaderboard',
  'map',
  'chat',
  'settings',
  'mute',
  'fullscreen',
] as const;

/** The action that has this key already, for somebody who can do `name`; undefined if the key is free. */
export function conflictOf(name: ActionName, code: string): ActionName | undefined {
  const { roles } = actionFor(name);
  return ACTION_NAMES.find(
    (other) =>
      other !== name &&
      codesOf(other).includes(code) &&
      actionFor(other).roles.some((role) => roles.includes(role)),
  );
}

/** Everything the keyboard does in an arena. Hints appear in this order. */
export const ACTIONS = {
  eject: {
    codes: ['KeyW'],
    keyName: 'W',
    label: 'Eject mass',
    roles: ['player'],
    hintFor: 'player',
    repeatEveryMs: 130,
  },
  steer: { codes: STEER_KEYS, keyName: 'Arrows', label: 'Steer', roles: ['player'] },
  split: { codes: ['Space'], keyName: 'Space', label: 'Split', roles: ['player'], hintFor: 'player' },
  emote: {
    codes: EMOTE_KEYS,
    keyName: '1-6',
    label: 'Emotes',
    roles: ['player'],
    hintFor: 'player',
  },
  leaderboard: {
    codes: ['KeyL'],
    keyName: 'L',
    label: 'Leaderboard',
    roles: ['player', 'spectator'],
    hintFor: 'player',
  },
  map: { codes: ['KeyM'], keyName: 'M', label: 'Map', roles: ['player', 'spectator'] },
  chat: { codes: ['KeyC'], keyName: 'C', label: 'Chat', roles: ['player', 'spectator'] },
  write: { codes: ['Enter'], keyName: 'Enter', label: 'Write', roles: ['player', 'spectator'] },
  menu: { codes: ['Escape'], keyName: 'Esc', label: 'Menu', roles: ['player', 'spectator'] },
  settings: { codes: ['KeyO'], keyName: 'O', label: 'Settings', roles: ['player', 'spectator'] },
  mute: { codes: ['KeyN'], keyName: 'N', label: 'Mute', roles: ['player', 'spectator'] },
  fullscreen: { codes: ['KeyG'], keyName: 'G', label: 'Fullscreen', roles: ['player', 'spectator'] },
  debug: { codes: ['F3'], keyName: 'F3', label: 'Debug', roles: ['player', 'spectator'] },
  test: { codes: ['F4'], keyName: 'F4', label: 'Test mass', roles: ['player'] },
  topPlayer: {
    codes: ['KeyF'],
    keyName: 'F',
    label: 'Top player',
    roles: ['spectator'],
    hintFor: 'spectator',
  },
  randomPlayer: {
    codes: ['Tab'],
    keyName: 'Tab',
    label: 'Random player',
    roles: ['spectator'],
    hintFor: 'spectator',
  },
  reset: {
    codes: ['KeyR'],
    keyName: 'R',
    label: 'Reset view',
    roles: ['spectator'],
    hintFor: 'spectator',
  },
  pan: {
    codes: Object.keys(PAN_KEYS),
    keyName: 'WASD',
    label: 'Pan',
    roles: ['spectator'],
    hintFor: 'spectator',
  },
} as const satisfies { readonly [name: string]: Action };

export type ActionName = keyof typeof ACTIONS;

const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

function actionFor(name: ActionName): Action {
  return ACTIONS[name];
}

export function keyHints(role: Role): readonly { readonly keyName: string; readonly label: string }[] {
  return ACTION_NAMES.filter((name) => actionFor(name).hintFor === role).map((name) => ({
    keyName: keyNameOf(name),
    label: ACTIONS[name].label,
  }));
}

/** The action that a key triggers for a role. */
export function actionOf(code: string, role: Role): ActionName | undefined {
  return ACTION_NAMES.find((name) => codesOf(name).includes(code) && actionFor(name).roles.includes(role));
}

/** The keys of an action: the player's own, or the defaults. */
export function codesOf(name: ActionName, bindings: Bindings = storedBindings()): readonly string[] {
  const own = bindings[name];
  return own === undefined ? ACTIONS[name].codes : [own];
}

/** The key as hints show it. */
export function keyNameOf(name: ActionName): string {
  const own = storedBindings()[name];
  return own === undefined ? ACTIONS[name].keyName : keyNameOfCode(own);
}

/** How often a held key repeats the action; undefined if it does not. */
export function repeatOf(name: ActionName): number | undefined {
  return actionFor(name).repeatEveryMs;
}

/** The direction to pan while these keys are held: −1, 0 or 1 on each axis. */
export function panDirection(held: ReadonlySet<string>): { readonly x: number; readonly y: number } {
  let x = 0;
  let y = 0;
  for (const code of held) {
    x += PAN_KEYS[code]?.x ?? 0;
    y += PAN_KEYS[code]?.y ?? 0;
  }
  return { x: Math.sign(x), y: Math.sign(y) };
}
