import type { FastifyReply } from 'fastify';

/** A PNG. By default its address holds the hash of its content, so that it never changes. */
export function sendPicture(
  reply: FastifyReply,
  picture: Uint8Array,
  caching = 'max-age=31536000, immutable',
): FastifyReply {
  return reply
    .header('cache-control', `public, ${caching}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .type('image/png')
    .send(picture);
}
