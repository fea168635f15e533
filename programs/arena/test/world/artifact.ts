import { pathToFileURL } from 'node:url';

/**
 * The bytecode under test: the committed one, or another build of the same source, such as that of `cargo build-sbf`
 * for public clusters (ARENA_SO=target/deploy/arena.so).
 */
const other = process.env['ARENA_SO'];
export const ARTIFACT = other ? pathToFileURL(other) : new URL('../../arena.so', import.meta.url);
