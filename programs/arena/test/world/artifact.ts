import { pathToFileURL } from 'node:url';

/** The bytecode under test: the committed one, or another build of the same source (ARENA_SO=path/to/arena.so). */
const other = process.env['ARENA_SO'];
export const ARTIFACT = other ? pathToFileURL(other) : new URL('../../arena.so', import.meta.url);
