export type ErrorDefinition = {
  /** The status of the HTTP answer that carries the code; null when it arises in the browser and never travels. */
  readonly httpStatus: number | null;
  readonly title: string;
  /** The text for people. A function takes what fills its placeholders: plain JSON, so that it can travel. */
  readonly text: string | ((context: never) => string);
};

export type ErrorDefinitions = { readonly [code: string]: ErrorDefinition };
