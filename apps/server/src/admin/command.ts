import type { Chain } from '../platform/chain/chain.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';

/** What commands work with. The chain is opened by the first one that needs it. */
export type AdminContext = Omit<Context, 'chain'> & {
  openChain(): Promise<Chain>;
  readonly migrations: {
    /** Names of what this version brings and the database lacks. */
    pending(): Promise<readonly string[]>;
    apply(): Promise<void>;
  };
  /** Mints of the tokens that payouts have limits for. */
  readonly limitedTokens: readonly string[];
  pause(ms: number): Promise<void>;
};

/** Of a server, which has migrated its database when it started. */
export const NOTHING_PENDING: AdminContext['migrations'] = {
  pending: async () => [],
  apply: async () => undefined,
};

/** Commands that run in a server. */
export function adminContextOf(context: Context, payouts: Config['payouts']): AdminContext {
  return {
    ...context,
    openChain: async () => context.chain,
    migrations: NOTHING_PENDING,
    limitedTokens: Object.keys(payouts.limits.tokens),
    pause: (ms) => new Promise((done) => setTimeout(done, ms)),
  };
}

/** Where a command's output goes and who runs it, whether it runs here or came through the socket. */
export type Io = {
  write(line: string): void;
  writeError(line: string): void;
  /** Undefined if nobody is there to answer a question. */
  ask(question: string): Promise<string | undefined>;
  /** The name at the operating system. */
  readonly actor: string;
  /** The folder that relative paths start from. */
  readonly folder: string;
};

type Option = {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** Stands for the value in the help. */
  readonly value?: string;
  readonly about: string;
};
export type Options = { readonly [name: string]: Option };

export type Values = {
  readonly [name: string]: string | boolean | readonly (string | boolean)[] | undefined;
};

/** One call of a command. */
export type Call = {
  readonly admin: AdminContext;
  readonly io: Io;
  /** As many as the command names; the last name may take several. */
  readonly positionals: readonly string[];
  readonly values: Values;
};

export type Answer = {
  /** For `--json`. */
  readonly data: unknown;
  readonly lines: readonly string[];
};

/** Writes a change to the audit log. Call it in the transaction of the change. */
export type Note = (
  tx: Database,
  subject: string,
  details?: Readonly<Record<string, unknown>>,
) => Promise<void>;

export type Applying = {
  readonly admin: AdminContext;
  readonly note: Note;
  /** Says that a step is durable. */
  report(line: string): void;
};

/** What a command is about to do. Preparing it changes nothing. */
export type Change = {
  /** What will be different, one line each. Empty if there is nothing to change. */
  readonly lines: readonly string[];
  /** What the operator types to confirm a change that cannot be undone. */
  readonly confirmation?: string;
  apply(applying: Applying): Promise<void>;
};

export type Command = {
  readonly name: string;
  readonly about: string;
  readonly positionals: readonly string[];
  readonly options: Options;
  /** Works on a database that lacks migrations. */
  readonly ofAnyVersion?: true;
  /** Further lines of the help. */
  readonly notes?: readonly string[];
} & (
  | { readonly kind: 'read'; read(call: Call): Promise<Answer> }
  | { readonly kind: 'change'; prepare(call: Call): Promise<Change> }
);

/** The command was not understood. Nothing was changed. */
export class UsageError extends Error {}
/** The command was understood, but cannot be carried out now. */
export class Refusal extends Error {}
/** The command was interrupted: running it again continues it. */
export class Unfinished extends Error {}

export function defineRead(
  command: Omit<Extract<Command, { kind: 'read' }>, 'kind'>,
): Extract<Command, { kind: 'read' }> {
  return { ...command, kind: 'read' };
}

export function defineChange(
  command: Omit<Extract<Command, { kind: 'change' }>, 'kind'>,
): Extract<Command, { kind: 'change' }> {
  return { ...command, kind: 'change' };
}

/** The context that the rest of the server expects. */
export async function withChain(admin: AdminContext): Promise<Context> {
  return { ...admin, chain: await admin.openChain() };
}
