/** The rules for players, a page of the server. */
export const HOW_TO_PLAY_PATH = '/how-to-play';
