import { failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import { AVATAR_LIMITS, AVATARS_PATH, refuseHeavyAvatar } from '@engulf/domain/profile/avatar';
import { updateAvatar } from '@engulf/protocol/user';
import type { FastifyInstance } from 'fastify';
import { changeAvatar, readAvatar } from '../../accounts/avatars.ts';
import type { Context } from '../../platform/context.ts';
import { readForm } from '../read-form.ts';
import { sendPicture } from '../send-picture.ts';
import { sendFailure, serveCall, signedIn } from '../serve-call.ts';

const READS_PER_MINUTE = 1_000;

export function registerAvatars(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'storage' | 'nowMs'>,
): void {
  serveCall(
    app,
    updateAvatar,
    signedIn(context, async (user, { raw, reply }) => {
      const form = await readForm(raw, { maxFileBytes: AVATAR_LIMITS.maxBytes });
      if (form === 'too-large') {
        // The rest of the body is not worth reading.
        reply.header('connection', 'close');
        return refuseHeavyAvatar();
      }
      if (form === 'invalid' || !form.file) return refuse('INVALID_REQUEST');
      const changed = await changeAvatar(context, user, form.file);
      return changed.ok ? ok({ status: 'success', newValue: changed.value }) : changed;
    }),
  );
  app.get<{ Params: { name: string } }>(
    `${AVATARS_PATH}/:name`,
    { config: { rateLimit: { max: READS_PER_MINUTE * app.rateLimitScale, timeWindow: 60_000 } } },
    async ({ params }, reply) => {
      const picture = await readAvatar(context, params.name);
      if (!picture) return sendFailure(reply, failure('NOT_FOUND'));
      return sendPicture(reply, picture);
    },
  );
}
