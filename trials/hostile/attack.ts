/** What an attacker knows. Everything else it has to find out over the network. */
export type Target = {
  readonly url: string;
  readonly lobbyId: string;
  /** Sessions of users who are signed in. */
  readonly cookies: readonly string[];
  readonly untilMs: number;
};

/** Runs until `untilMs` at most. Every answer of the server is counted; undefined is a broken connection. */
export type Attack = (target: Target, count: (status: number | undefined) => void) => Promise<void>;
