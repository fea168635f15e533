declare const brandName: unique symbol;

/** A value of type `Base` that only its own constructor hands out; it costs nothing at run time. */
export type Brand<Base, Name extends string> = Base & { readonly [brandName]: Name };
