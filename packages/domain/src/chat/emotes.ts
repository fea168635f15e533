/** What a player can say with one key, in the order of the keys 1 to 6. */
export const EMOTES = ['Hi!', 'GG', 'Haha', 'Oops', 'Sorry', 'Run!'] as const;
