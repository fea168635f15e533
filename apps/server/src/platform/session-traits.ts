import type { IncomingHttpHeaders } from 'node:http';

/** Most specific first: every browser claims to be several others as well. */
const BROWSERS = [
  ['Edg', 'edge'],
  ['OPR', 'opera'],
  ['SamsungBrowser', 'samsung'],
  ['Firefox', 'firefox'],
  ['FxiOS', 'firefox'],
  ['Chrome', 'chrome'],
  ['CriOS', 'chrome'],
  ['Safari', 'safari'],
] as const;
const SYSTEMS = [
  ['Android', 'android'],
  ['iPhone', 'ios'],
  ['iPad', 'ios'],
  ['CrOS', 'chromeos'],
  ['Windows', 'windows'],
  ['Mac OS', 'macos'],
  ['Linux', 'linux'],
] as const;

/**
 * What a browser says about itself with every call, so coarse that it fits very many people: family, system, first language.
 * Undefined for a client that says nothing.
 */
export function readTraits(headers: IncomingHttpHeaders): string | undefined {
  const agent = headers['user-agent'];
  const languages = headers['accept-language'];
  if (!agent || !languages) return undefined;
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => agent.includes(mark))?.[1] ?? 'other';
  const [language] = /^[a-z]{2,3}\b/i.exec(languages.trim()) ?? ['other'];
  return `${find(BROWSERS)} ${find(SYSTEMS)} ${language.toLowerCase()}`;
}
