import { ServerError } from '@colyseus/core';
import { describeFailure, type Failure } from '@engulf/domain/errors/registry';

/** A refusal in the form that Colyseus hands to the client: its message is the code of the error registry. */
export function refusal(failure: Failure): ServerError {
  return new ServerError(describeFailure(failure).httpStatus ?? 500, failure.code);
}
