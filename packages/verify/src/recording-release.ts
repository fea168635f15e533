import { KNOWN_VERSIONS } from '@engulf/sim/recording/frames';
import type { ReadHeader } from '@engulf/sim/recording/header';
import { freeLobbyRules, standardRules } from '@engulf/sim/rules';

/** All versions of a recording begin with these bytes and their number. */
const MAGIC = [0x45, 0x47, 0x52];

/** For a recording that another release plays: which one. Undefined if this one does, or if it is no recording. */
export function unknownVersion(bytes: Uint8Array): string | undefined {
  const version = bytes[MAGIC.length];
  if (version === undefined || MAGIC.some((byte, i) => bytes[i] !== byte)) return undefined;
  if (KNOWN_VERSIONS.includes(version)) return undefined;
  const newest = Math.max(...KNOWN_VERSIONS);
  const oldest = Math.min(...KNOWN_VERSIONS);
  const release = version > newest ? 'a newer release' : `a release from before version ${oldest}`;
  return `the recording is of version ${version}, which ${release} plays; this one plays ${KNOWN_VERSIONS.join(', ')} (docs/recording-format.md names the releases)`;
}

/** Rules that are not the standard ones of this release, for people who want to know what was played. */
export function namedRules({ rules }: ReadHeader, { isFree }: { readonly isFree: boolean }): string[] {
  const standard = isFree ? freeLobbyRules : standardRules;
  const differing = compare(rules, standard, '');
  if (differing.length === 0) return [];
  const shown = differing.slice(0, MAX_NAMED).join(', ');
  const more = differing.length > MAX_NAMED ? ` and ${differing.length - MAX_NAMED} more` : '';
  return [`other rules than the standard ones: ${shown}${more}`];
}

const MAX_NAMED = 6;

type Values = { readonly [name: string]: number | bigint | Values };

function compare(played: Values, standard: Values, path: string): string[] {
  return Object.entries(standard).flatMap(([name, usual]) => {
    const used = played[name];
    if (typeof usual === 'object') return compare((used ?? {}) as Values, usual, `${path}${name}.`);
    return used === usual ? [] : [`${path}${name} ${String(used)} (standard ${usual})`];
  });
}
