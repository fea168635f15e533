import type { FastifyRequest } from 'fastify';

/** How much a form may contain besides its file. */
const FIELD_BYTES = 1_000;
const FORM_BYTES = 16 * 1024;

type Form = { readonly file: Uint8Array | undefined; readonly fields: ReadonlyMap<string, string> };

/** Reads a form with at most one file, in whatever order its parts come. */
export async function readForm(
  request: FastifyRequest,
  { maxFileBytes }: { readonly maxFileBytes: number },
): Promise<Form | 'too-large' | 'invalid'> {
  const length = request.headers['content-length'];
  // Without a length it could come in millions of chunks, and each costs as much as a message.
  if (length === undefined) return 'invalid';
  if (Number(length) > maxFileBytes + FORM_BYTES) return 'too-large';
  if (!request.isMultipart()) return 'invalid';
  const limits = { fileSize: maxFileBytes, files: 1, fields: 5, parts: 6, fieldSize: FIELD_BYTES };
  const fields = new Map<string, string>();
  let file: Uint8Array | undefined;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') file = await part.toBuffer();
      else fields.set(part.fieldname, String(part.value));
    }
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE';
    return isTooLarge ? 'too-large' : 'invalid';
  }
  return { file, fields };
}
