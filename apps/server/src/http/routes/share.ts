import { failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import { SHARE_CARD_MAX_BYTES, SHARE_PAGE_PATH, shareWinnings } from '@engulf/protocol/http/share';
import { rowIdSchema } from '@engulf/protocol/wire-values';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { cardFacts } from '../../share/card-facts.ts';
import { checkCardFile } from '../../share/card-file.ts';
import {
  CARDS_PATH,
  findSharedGame,
  pictureAddress,
  readPicture,
  shareEntry,
} from '../../share/share-cards.ts';
import { sendNotFoundPage, sendPage } from '../pages/send-page.ts';
import { winningPage } from '../pages/winning-page.ts';
import { readForm } from '../read-form.ts';
import { sendPicture } from '../send-picture.ts';
import { sendFailure, serveCall, signedIn } from '../serve-call.ts';
import type { Site } from '../site.ts';

const READS_PER_MINUTE = 300;
const PAGE_MAX_AGE_SECONDS = 300;

/** Cards of cash-outs: sharing one, its picture, and the public page that posts link to. */
export function registerShare(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'storage' | 'nowMs'>,
  site: () => Site,
): void {
  const addressOf = (path: string) => new URL(path, site().publicUrl).href;
  const limited = {
    config: { rateLimit: { max: READS_PER_MINUTE * app.rateLimitScale, timeWindow: 60_000 } },
  };
  serveCall(
    app,
    shareWinnings,
    signedIn(context, async (user, { raw, reply }) => {
      const form = await readForm(raw, { maxFileBytes: SHARE_CARD_MAX_BYTES });
      if (form === 'invalid') return refuse('INVALID_REQUEST');
      if (form === 'too-large') {
        // The rest of the body is not worth reading.
        reply.header('connection', 'close');
        return refuse('PAYLOAD_TOO_LARGE');
      }
      const entryId = form.fields.get('entryId');
      if (!form.file && entryId === undefined) return refuse('INVALID_REQUEST');
      // The database throws on some strings that are not ids.
      if (!rowIdSchema.optional().safeParse(entryId).success) return refuse('SHARE_ENTRY_NOT_FOUND');
      const isCard = form.file ? await checkCardFile(form.file) : ok(undefined);
      if (!isCard.ok) return isCard;
      const shared = await shareEntry(context, user, entryId);
      if (!shared.ok) return shared;
      return ok({ url: addressOf(pictureAddress(shared.value)), key: shared.value.key });
    }),
  );
  app.get<{ Params: { name: string } }>(`${CARDS_PATH}/:name`, limited, async ({ params }, reply) => {
    const picture = await readPicture(context, params.name);
    return picture ? sendPicture(reply, picture) : sendFailure(reply, failure('NOT_FOUND'));
  });
  app.get<{ Params: { '*': string } }>(`${SHARE_PAGE_PATH}/*`, limited, async ({ params }, reply) => {
    const key = params['*'];
    const shared = await findSharedGame(context, key);
    if (!shared) {
      const text = 'Nobody has shared a cash-out under this address.';
      return sendNotFoundPage(reply, { title: 'No such card', text });
    }
    const page = winningPage(cardFacts(shared.game), {
      url: addressOf(`${SHARE_PAGE_PATH}/${key}`),
      imageUrl: addressOf(pictureAddress(shared.card)),
    });
    return sendPage(reply, page, { maxAgeSeconds: PAGE_MAX_AGE_SECONDS });
  });
}
