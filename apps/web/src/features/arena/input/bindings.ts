import { settings } from '../../../shared/settings.ts';

/** Keys that differ from the defaults: action → `KeyboardEvent.code`. */
export type Bindings = { readonly [action: string]: string | undefined };

let parsed: { readonly text: string | undefined; readonly bindings: Bindings } = {
  text: undefined,
  bindings: {},
};

export function storedBindings(): Bindings {
  const text = settings.read('keyBindings');
  if (text !== parsed.text) parsed = { text, bindings: parseBindings(text) };
  return parsed.bindings;
}

export function bindKey(action: string, code: string): void {
  settings.write('keyBindings', JSON.stringify({ ...storedBindings(), [action]: code }));
}

/** What was stored may be anything: only pairs of texts count. */
export function parseBindings(text: string | undefined): Bindings {
  if (text === undefined) return {};
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
  } catch {
    return {};
  }
}

const NAMES: { readonly [code: string]: string } = {
  Escape: 'Esc',
  ControlLeft: 'Ctrl',
  ControlRight: 'Ctrl',
  ShiftLeft: 'Shift',
  ShiftRight: 'Shift',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

/** 'KeyW' → 'W', 'Digit1' → '1'. */
export function keyNameOfCode(code: string): string {
  return NAMES[code] ?? code.replace(/^(Key|Digit)/, '');
}
