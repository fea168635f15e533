import type { Kind } from '@engulf/integrity/score';
import type { CaseFinding } from '../platform/database/integrity.ts';

/** What a finding says, for somebody who knows no statistics. */
export function inPlainWords(
  { kind, pValue, strength, count }: CaseFinding,
  partner: string | undefined,
): string {
  const chance = `by chance once in ${oneIn(pValue)} looks`;
  const whom = partner ?? 'others';
  switch (kind as Kind) {
    case 'softPlay':
      return `Softer with ${whom} than with everybody else, and than everybody else is: in ${count} chances and dangers it left the chance, or did not run. ${strength.toFixed(1)} standard deviations, ${chance}.`;
    case 'convoy':
      return `Headed for ${whom} while ${whom} was off the screen: ${count} looks, ${strength.toFixed(1)} standard deviations above other times of the same matches, ${chance}.`;
    case 'teaming':
      return `Both together, soft on ${whom} and heading for ${whom} off the screen: ${strength.toFixed(1)} standard deviations, ${chance}.`;
    case 'oneHand':
      return `Moved the pointer again only while that of ${whom} rested, as one person with two windows does: ${count} returns, ${strength.toFixed(1)} standard deviations below its other rests of the same minutes, ${chance}.`;
    case 'feeding':
      return `Threw mass to ${whom} ${count} times, ${strength.toFixed(1)} times as often as is usual near somebody, ${chance}.`;
    case 'dumping':
      return `Was eaten by ${whom} without running ${count} times, ${strength.toFixed(1)} times as often as deaths of the same matches would give, ${chance}.`;
    case 'sight':
      return `Headed for prey that was off the screen: ${count} looks, ${strength.toFixed(1)} standard deviations above other times of the same matches, ${chance}.`;
    case 'machine':
      return `The pointer moves unlike anybody else's, or turned sooner than a person can after somebody came into view (${count} times, ${strength.toFixed(1)} times as often as at other moments), ${chance}.`;
  }
}

function oneIn(pValue: number): string {
  if (pValue <= 1e-12) return 'more than a million million';
  return Math.max(1, Math.round(1 / pValue)).toLocaleString('en');
}

/** Where to look in a replay. */
export function replayLink(matchId: string, tick: number, stepsPerSecond: number, player: string): string {
  const seconds = Math.max(0, Math.floor(tick / stepsPerSecond) - LEAD_SECONDS);
  return `/replay/${matchId}?t=${seconds}&player=${encodeURIComponent(player)}`;
}

const LEAD_SECONDS = 3;
