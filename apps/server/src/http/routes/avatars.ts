import { failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import { AVATAR_LIMITS, refuseHeavyAvatar } from '@engulf/domain/profile/avatar';
import { updateAvatar } from '@engulf/protocol/user';
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AVATARS_PATH, changeAvatar, readAvatar } from '../../accounts/avatars.ts';
import type { Context } from '../../platform/context.ts';
import { sendFailure, serveCall, signedIn } from '../serve-call.ts';

/** What a form may have around its file. */
const FORM_BYTES = 16 * 1024;
const FORM_LIMITS = { fileSize: AVATAR_LIMITS.maxBytes, files: 1, fields: 5, parts: 6, fieldSize: 1_000 };
const READS_PER_MINUTE = 1_000;

export async function registerAvatars(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(fastifyMultipart, { limits: FORM_LIMITS });
  serveCall(
    app,
    updateAvatar,
    signedIn(context, async (user, { raw, reply }) => {
      if (Number(raw.headers['content-length']) > AVATAR_LIMITS.maxBytes + FORM_BYTES) {
        // The rest of the body is not worth reading.
        reply.header('connection', 'close');
        return refuseHeavyAvatar();
      }
      const file = await readFile(raw);
      if (!file.ok) return file;
      const changed = await changeAvatar(context, user, file.value);
      return changed.ok ? ok({ status: 'success', newValue: changed.value }) : changed;
    }),
  );
  app.get<{ Params: { name: string } }>(
    `${AVATARS_PATH}/:name`,
    { config: { rateLimit: { max: READS_PER_MINUTE * app.rateLimitScale, timeWindow: 60_000 } } },
    async ({ params }, reply) => {
      const picture = await readAvatar(context, params.name);
      if (!picture) return sendFailure(reply, failure('NOT_FOUND'));
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .type('image/png')
        .send(picture);
    },
  );
}

async function readFile(request: FastifyRequest) {
  if (!request.isMultipart()) return refuse('INVALID_REQUEST');
  try {
    const part = await request.file();
    return part ? ok(await part.toBuffer()) : refuse('INVALID_REQUEST');
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE';
    return isTooLarge ? refuseHeavyAvatar() : refuse('INVALID_REQUEST');
  }
}
