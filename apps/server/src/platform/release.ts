import { readFileSync } from 'node:fs';

/** What recordings name as the program that played them: `0.1.0`, or `0.1.0+1f2e3d4` where the commit is known. */
export function releaseOf(commit: string | undefined): string {
  return commit === undefined ? VERSION : `${VERSION}+${commit}`;
}

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string };
