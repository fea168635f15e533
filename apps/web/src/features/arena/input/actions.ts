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
  split: { codes: ['Space'], keyName: 'Space', label: 'Split', roles: ['player'], hintFor: 'player' },
  leaderboard: {
    codes: ['KeyL'],
    keyName: 'L',
    label: 'Leaderboard',
    roles: ['player', 'spectator'],
    hintFor: 'player',
  },
  map: { codes: ['KeyM'], keyName: 'M', label: 'Map', roles: ['player', 'spectator'] },
  debug: { codes: ['F3'], keyName: 'F3', label: 'Debug', roles: ['player', 'spectator'] },
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

export function keyHints(role: Role): readonly Pick<Action, 'keyName' | 'label'>[] {
  return (Object.values(ACTIONS) as readonly Action[]).filter(({ hintFor }) => hintFor === role);
}

/** The action that a key triggers for a role. */
export function actionOf(code: string, role: Role): ActionName | undefined {
  const names = Object.keys(ACTIONS) as ActionName[];
  return names.find((name) => {
    const { codes, roles }: Action = ACTIONS[name];
    return codes.includes(code) && roles.includes(role);
  });
}

/** How often a held key repeats the action; undefined if it does not. */
export function repeatOf(name: ActionName): number | undefined {
  const { repeatEveryMs }: Action = ACTIONS[name];
  return repeatEveryMs;
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
