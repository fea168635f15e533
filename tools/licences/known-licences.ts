export type LockedPackage = { readonly license?: string; readonly link?: boolean };

/** They ask for their text to be kept, and nothing of our own code. */
const KNOWN = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Public Domain',
]);

/** Fine for what we use them for: a library that is linked and not changed, files, fonts, data with its attribution. */
const KNOWN_OF: Readonly<Record<string, RegExp>> = {
  'LGPL-3.0-or-later': /\/@img\/sharp-/,
  'MPL-2.0': /\/(lightningcss|@axe-core\/|axe-core)/,
  'OFL-1.1': /\/@fontsource/,
  'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)': /\/@ip-location-db\//,
};

/** Old packages that name no licence in the lock file; their own files do. */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  streamsearch: 'MIT',
  'xmlhttprequest-ssl': 'MIT',
};

export function licenceOf(path: string, { license }: LockedPackage): string {
  return license ?? NAMED_ELSEWHERE[path.replace(/^.*node_modules\//, '')] ?? 'none';
}

export function findUnknown(packages: Readonly<Record<string, LockedPackage>>) {
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (!path.includes('node_modules/') || locked.link) return [];
    const licence = licenceOf(path, locked);
    return isKnown(path, licence) ? [] : [{ path, licence }];
  });
}

/** All of several that hold together, one of several to choose from. */
function isKnown(path: string, licence: string): boolean {
  if (licence.includes(' OR ')) return parts(licence, ' OR ').some((part) => isKnown(path, part));
  if (licence.includes(' AND ')) return parts(licence, ' AND ').every((part) => isKnown(path, part));
  return KNOWN.has(licence) || KNOWN_OF[licence]?.test(path) === true;
}

const parts = (licence: string, word: string) => licence.replace(/^\((.*)\)$/, '$1').split(word);
