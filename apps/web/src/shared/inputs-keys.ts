import { type BrowserStorage, storage } from './storage.ts';

/*
 * Keys with which the page signs what a player did in a match for money. A payment names one, for its game only: it can move
 * no money. Kept, because a player may pay, reload and then play.
 */

const KEY = 'inputsKeys';
/** About 3 KB. The oldest go first. */
const MAX_KEYS = 20;

type KeptKey = { readonly publicHex: string; readonly pkcs8: string };

/** Returns its public half in hexadecimal. Undefined where the browser cannot: then nothing is signed. */
export async function createInputsKey(at: BrowserStorage = storage): Promise<string | undefined> {
  try {
    const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    const publicHex = toHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
    const pkcs8 = toHex(new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey)));
    at.write(KEY, JSON.stringify([...readAll(at), { publicHex, pkcs8 }].slice(-MAX_KEYS)));
    return publicHex;
  } catch {
    return undefined;
  }
}

/** For signing. Undefined for a key of another browser. */
export async function findInputsKey(
  publicHex: string,
  at: BrowserStorage = storage,
): Promise<CryptoKey | undefined> {
  const kept = readAll(at).find((one) => one.publicHex === publicHex);
  if (!kept) return undefined;
  try {
    return await crypto.subtle.importKey('pkcs8', fromHex(kept.pkcs8), 'Ed25519', false, ['sign']);
  } catch {
    return undefined;
  }
}

/** Others may have written there. */
function readAll(at: BrowserStorage): readonly KeptKey[] {
  try {
    const kept: unknown = JSON.parse(at.read(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is KeptKey {
  const { publicHex, pkcs8 } = (value ?? {}) as Partial<KeptKey>;
  return typeof publicHex === 'string' && typeof pkcs8 === 'string';
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
