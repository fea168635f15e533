import { type PublicMatch, readMatch } from '@engulf/protocol/http/matches';

/** A long match has more pages of entries than may be asked for in a minute. */
const MAX_TRIES = 5;

/** A match with all its entries. Throws if the server does not answer. */
export async function fetchMatch(server: string, id: string): Promise<PublicMatch> {
  return completeMatch(server, await fetchPage(server, id, 1));
}

/** Adds the entries of the pages after the first. */
export async function completeMatch(server: string, first: PublicMatch): Promise<PublicMatch> {
  const entries = [...first.entries];
  for (let page = 2; entries.length < first.entryCount; page++) {
    const next = await fetchPage(server, first.id, page);
    if (next.entries.length === 0) break;
    entries.push(...next.entries);
  }
  return { ...first, entries };
}

/** Waits and tries again where the server says that it was asked too often. */
export async function get(server: string, path: string): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(new URL(path, server));
    if (response.ok) return response;
    const waitSeconds = response.headers.get('retry-after');
    if (response.status !== 429 || waitSeconds === null || tries === MAX_TRIES) {
      throw new Error(`${server}${path} answers ${response.status}: ${await response.text()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(waitSeconds)));
  }
}

async function fetchPage(server: string, id: string, page: number): Promise<PublicMatch> {
  const path = readMatch.path.replace(':id', encodeURIComponent(id));
  const response = await get(server, page === 1 ? path : `${path}?page=${page}`);
  return readMatch.answer.parse(await response.json()).data;
}
