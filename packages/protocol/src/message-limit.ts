/** How often one connection may send a message: a bucket of `burst` that refills at `perSecond`. */
export type MessageLimit = { readonly perSecond: number; readonly burst: number };
