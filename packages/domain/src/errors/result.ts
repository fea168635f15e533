/** The outcome of something that may be refused. Bugs are thrown; refusals are returned. */
export type Result<Value, Refusal> = Ok<Value> | Err<Refusal>;

type Ok<Value> = { readonly ok: true; readonly value: Value };
export type Err<Refusal> = { readonly ok: false; readonly error: Refusal };

export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

export function err<Refusal>(error: Refusal): Err<Refusal> {
  return { ok: false, error };
}

type ErrorDefinition = {
  /**
   * The status of the HTTP answer that carries the code; null when it arises in the browser and never
   * travels.
   */
  readonly httpStatus: number | null;
  readonly title: string;
  /** The text for people. A function takes what fills its placeholders: plain JSON, so that it can travel. */
  readonly text: string | ((context: never) => string);
};

export type ErrorDefinitions = { readonly [code: string]: ErrorDefinition };
