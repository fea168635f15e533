import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { Rules } from '@engulf/sim/rules';

/** Overrides single numbers of the game's rules, for development and tests: `{"portals":{"idleSeconds":3}}`. */
export function mergeRules(rules: Rules, overridesJson: string): Result<Rules, string> {
  let overrides: unknown;
  try {
    overrides = JSON.parse(overridesJson);
  } catch {
    return err('is not JSON');
  }
  try {
    return ok(merge(rules, overrides, 'rules') as Rules);
  } catch (error) {
    return err((error as Error).message);
  }
}

type Branch = { readonly [key: string]: unknown };

function merge(rules: Branch, overrides: unknown, path: string): Branch {
  if (!isBranch(overrides)) throw new RangeError(`${path} must be an object`);
  const merged: Record<string, unknown> = { ...rules };
  for (const [key, value] of Object.entries(overrides)) {
    const standard = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (standard === undefined) throw new RangeError(`${path}.${key} is not a rule`);
    merged[key] = isBranch(standard)
      ? merge(standard, value, `${path}.${key}`)
      : replace(standard, value, `${path}.${key}`);
  }
  return merged;
}

function replace(standard: unknown, value: unknown, path: string): number | bigint {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new RangeError(`${path} must be a number`);
  return typeof standard === 'bigint' ? BigInt(Math.trunc(value)) : value;
}

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
