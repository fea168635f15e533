import type { ConsoleSection } from '@engulf/protocol/http/console';
import type { AdminContext } from '../admin/command.ts';
import type { Config } from '../platform/config/config.ts';
import type { UserRole, UserRow } from '../platform/database/people.ts';

export type ConsoleContext = AdminContext & { readonly payouts: Config['payouts'] };

type Asked = {
  readonly id?: string | undefined;
  readonly q?: string | undefined;
  readonly before?: string | undefined;
  readonly range?: 'day' | 'month' | undefined;
};

export type View = {
  readonly title: string;
  readonly least: UserRole;
  /** Not in the menu: other views lead to it. */
  readonly isDetail?: true;
  read(context: ConsoleContext, user: UserRow, asked: Asked): Promise<readonly ConsoleSection[]>;
};
