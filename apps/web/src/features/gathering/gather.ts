import { gatherPlayers, leaveGathering } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import { callApi } from '../../shared/api/call-api.ts';
import { useGatheringStore } from '../../shared/stores/gathering-store.ts';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';
import { allowAlarm } from './alarm.ts';

/** Begins to wait for others in the lobby. Call it from a click: the browser asks whether the page may notify. */
export async function gather(lobby: Lobby, lobbyCode: string): Promise<boolean> {
  allowAlarm();
  const body = { lobbyId: lobby.id, ...(lobbyCode !== '' && { lobbyCode }) };
  const gathered = await callApi(gatherPlayers, { body });
  if (gathered.ok) useGatheringStore.getState().set({ state: 'waiting', lobbyId: lobby.id });
  else showToast('danger', { title: TEXT.gathering.failed, text: gathered.error.message });
  return gathered.ok;
}

export async function stopGathering(): Promise<void> {
  useGatheringStore.getState().set({ state: 'away' });
  await callApi(leaveGathering, {});
}
