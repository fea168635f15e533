/** The largest amount, slot or id that the on-chain program can hold. */
export const MAX_U64 = 2n ** 64n - 1n;
