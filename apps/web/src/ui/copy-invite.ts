import { inviteUrl } from '../shared/invite.ts';
import { TEXT } from '../shared/text.ts';
import { showToast } from './toast.tsx';

/** Copies a link into the lobby, with the code of a semi-private one if it is known. */
export async function copyInvite(lobby: Parameters<typeof inviteUrl>[0], code = ''): Promise<void> {
  await navigator.clipboard.writeText(inviteUrl(lobby, code));
  showToast('info', { title: TEXT.entry.invited, text: TEXT.entry.invitedTo(lobby.name) });
}
