import { JOIN_PATH } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import { storage } from './storage.ts';

/** A link that somebody was sent leads into a lobby. */
export type Invite = { readonly lobbyId: string; readonly code: string | undefined };

const KEY = 'invite';

export function inviteUrl({ id }: Lobby, code: string): string {
  return new URL(`${JOIN_PATH}${id}${code === '' ? '' : `#${encodeURIComponent(code)}`}`, location.href).href;
}

/** The invitation that led here. It is kept in this tab until it is followed, whatever has to be done before. */
export function readInvite(): Invite | undefined {
  const { pathname, hash } = window.location;
  if (pathname.startsWith(JOIN_PATH)) {
    storage.write(KEY, pathname.slice(JOIN_PATH.length) + hash);
    window.history.replaceState(null, '', '/');
  }
  const kept = storage.read(KEY);
  if (kept === undefined) return undefined;
  const [lobbyId = '', code] = kept.split('#');
  return { lobbyId, code: code === undefined ? undefined : decode(code) };
}

export function forgetInvite(): void {
  storage.remove(KEY);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
