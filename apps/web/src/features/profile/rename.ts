import { describeFailure, ERRORS } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { validateUsername } from '@engulf/domain/ids/username';
import type { AnswerOf } from '@engulf/protocol/http/call';
import type { renameProfile } from '@engulf/protocol/user';
import type { ApiFailure } from '../../shared/api/call-api.ts';

type Notice = { readonly title: string; readonly text: string };
type Save = (name: string) => Promise<Result<AnswerOf<typeof renameProfile>, ApiFailure>>;

/** The name that holds afterwards, or undefined if nothing was to be done. Words are judged by the server. */
export async function rename(
  current: string,
  draft: string,
  save: Save,
): Promise<Result<string | undefined, Notice>> {
  if (draft.trim() === current) return ok(undefined);
  const name = validateUsername(draft, () => false);
  if (!name.ok) {
    const { title, text } = describeFailure(name.error);
    return err({ title, text });
  }
  const answer = await save(name.value);
  if (answer.ok) return ok(answer.value.newValue);
  const { code, message } = answer.error;
  const known = code in ERRORS ? ERRORS[code as keyof typeof ERRORS] : ERRORS.PROFILE_UPDATE_FAILED;
  return err({ title: known.title, text: message || ERRORS.PROFILE_UPDATE_FAILED.text });
}
