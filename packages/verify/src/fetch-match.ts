import { FACTS_PATH, type PublicMatch, readMatch } from '@engulf/protocol/http/matches';

const MAX_TRIES = 5;

/** A match with all its entries. Throws if the server does not answer. */
export async function fetchMatch(server: string, id: string): Promise<PublicMatch> {
  const path = readMatch.path.replace(':id', encodeURIComponent(id));
  const match = readMatch.answer.parse(await (await get(server, path)).json()).data;
  return completeMatch(server, match);
}

/** Adds the entries that are missing: an answer has a page of them, a file has all. */
export async function completeMatch(server: string, match: PublicMatch): Promise<PublicMatch> {
  if (match.entries.length >= match.entryCount) return match;
  const response = await get(server, FACTS_PATH.replace(':id', encodeURIComponent(match.id)));
  const complete = readMatch.answer.parse(await response.json()).data;
  // What is public of a match that runs may have become more meanwhile, and belongs together.
  return match.state === 'ended' ? { ...match, entries: complete.entries } : complete;
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
