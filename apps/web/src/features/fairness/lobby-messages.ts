import type { LobbyAudit } from '@engulf/verify/audit-lobby';

/** A worker that is asked again goes on with what it has read. */
export type LobbyCheckRequest = {
  readonly lobbyId: string;
  readonly server: string;
  readonly rpcUrl: string | undefined;
};

export type LobbyCheckAnswer =
  | {
      readonly type: 'progress';
      readonly what: 'matches' | 'transactions';
      readonly done: number;
      readonly of: number;
    }
  | { readonly type: 'done'; readonly audit: LobbyAudit }
  | { readonly type: 'failed' };
