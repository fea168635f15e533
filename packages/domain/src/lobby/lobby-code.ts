import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';
import type { LobbyType } from './lobby-type.ts';

export const LOBBY_CODE_LENGTH = { min: 3, max: 6 } as const;

/**
 * The code to enter this kind of lobby with: undefined where none is asked for, even if one was typed.
 * A code of the wrong length cannot be right, so it is refused like a wrong one.
 */
export function validateLobbyCode(
  lobbyType: LobbyType,
  text: string | undefined,
): Result<string | undefined, Failure<'INVALID_LOBBY_CODE'>> {
  if (lobbyType !== 'semi-private') return ok(undefined);
  const code = text?.trim() ?? '';
  if (code.length < LOBBY_CODE_LENGTH.min || code.length > LOBBY_CODE_LENGTH.max) {
    return refuse('INVALID_LOBBY_CODE');
  }
  return ok(code);
}
