/** The outcome of something that may be refused. Bugs are thrown; refusals come back as values. */
export type Result<Value, Refusal> = Ok<Value> | Err<Refusal>;

export type Ok<Value> = { readonly ok: true; readonly value: Value };
export type Err<Refusal> = { readonly ok: false; readonly error: Refusal };

export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

export function err<Refusal>(error: Refusal): Err<Refusal> {
  return { ok: false, error };
}
