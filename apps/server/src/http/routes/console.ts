import { type Failure, failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { HttpCall } from '@engulf/protocol/http/call';
import {
  readConsole,
  readConsoleView,
  showConsoleChange,
  signConsoleChange,
} from '@engulf/protocol/http/console';
import type { FastifyInstance } from 'fastify';
import { adminContextOf } from '../../admin/command.ts';
import { hasRole } from '../../console/allowed-commands.ts';
import { showChange, signChange } from '../../console/changes.ts';
import { listViews, VIEWS } from '../../console/views.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import type { UserRow } from '../../platform/database/people.ts';
import { type CallHandler, sendFailure, serveCall, signedIn } from '../serve-call.ts';
import type { Site } from '../site.ts';

/** For operators and admins. Where it is off, its calls do not exist. */
export function registerConsole(
  app: FastifyInstance,
  context: Context,
  { console, payouts }: Pick<Config, 'console' | 'payouts'>,
  site: () => Site,
): void {
  if (!console.isOn) return;
  const admin = { ...adminContextOf(context, payouts), payouts };
  hideElsewhere(app, console.url);

  serveCall(
    app,
    readConsole,
    forStaff(context, async (user) =>
      ok({
        status: 'success',
        name: user.name,
        wallet: user.walletAddress,
        role: user.role as 'operator' | 'admin',
        views: listViews(user),
      }),
    ),
  );
  serveCall(
    app,
    readConsoleView,
    forStaff(context, async (user, { query: { view: name, ...asked } }) => {
      const view = VIEWS[name];
      if (!hasRole(user, view.least)) return refuse('FORBIDDEN');
      const sections = await view.read(admin, user, asked);
      const asOf = new Date(context.nowMs()).toISOString();
      return ok({ status: 'success', title: view.title, asOf, sections: [...sections] });
    }),
  );
  serveCall(
    app,
    showConsoleChange,
    forStaff(context, async (user, { body, raw }) => {
      const shown = await showChange(admin, user, body, site().domainFor(raw.headers.host).uri);
      if (!shown.ok) return shown;
      const { lines, expiresAt } = shown.value;
      return ok({
        ...shown.value,
        status: 'success',
        lines: [...lines],
        expiresAt: expiresAt.toISOString(),
      });
    }),
  );
  serveCall(
    app,
    signConsoleChange,
    forStaff(context, async (user, { body: { nonce, signature } }) => {
      const done = await signChange(admin, user, { nonce, signature: Buffer.from(signature, 'base64') });
      return done.ok ? ok({ status: 'success', reports: [...done.value] }) : done;
    }),
  );
}

type StaffHandler<Call extends HttpCall> = (
  user: UserRow,
  request: Parameters<CallHandler<Call>>[0],
) => ReturnType<CallHandler<Call>>;

function forStaff<Call extends HttpCall>(
  context: Pick<Context, 'db' | 'nowMs'>,
  handle: StaffHandler<Call>,
): CallHandler<Call> {
  return signedIn(context, async (user, request) =>
    hasRole(user, 'operator') ? handle(user, request) : refuse('FORBIDDEN'),
  );
}

const NOT_HERE: Failure = failure('NOT_FOUND');

/** With an address of its own, the console is not reached by any other. */
function hideElsewhere(app: FastifyInstance, url: URL | undefined): void {
  if (url === undefined) return;
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/api/console') && request.headers.host !== url.host)
      await sendFailure(reply, NOT_HERE);
  });
}
