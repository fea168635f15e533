/**
 * Below the address of every process. Answered at once with nothing, so that a page can measure how far away a region is.
 */
export const ECHO_PATH = '/echo';
