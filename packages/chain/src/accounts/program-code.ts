import {
  type Address,
  address,
  type GetAccountInfoApi,
  getAddressDecoder,
  getAddressEncoder,
  getBase64Encoder,
  getProgramDerivedAddress,
  type Rpc,
} from '@solana/kit';

const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');

/** `programs/arena/arena.so`, as this release builds it. */
export const RELEASED_CODE = {
  byteCount: 81_384,
  sha256: 'd655aa0a9fb676e42176abb1cd7c67fdf471b920796004bc0a240c08865b033f',
};

/** What the chain runs as the program. */
export type ProgramCode = {
  /** Of as many bytes as the release has, if nothing follows them; otherwise of all up to the last that is not zero. */
  readonly sha256: string;
  /** Who can replace it; null: nobody. */
  readonly upgradeAuthority: Address | null;
  /** The slot of its latest deployment. */
  readonly deployedSlot: bigint;
};

export async function findProgramData(programId: Address): Promise<Address> {
  const [programData] = await getProgramDerivedAddress({
    programAddress: UPGRADEABLE_LOADER,
    seeds: [getAddressEncoder().encode(programId)],
  });
  return programData;
}

const PROGRAM_DATA = 3;
/** Kind u32, slot u64, authority: a byte of 1 or 0 and 32 bytes. */
const HEADER_BYTES = 45;

/** Undefined if the account is not that of a program. */
export async function readProgramCode(
  rpc: Rpc<GetAccountInfoApi>,
  programId: Address,
): Promise<ProgramCode | undefined> {
  const account = await findProgramData(programId);
  const { value } = await rpc.getAccountInfo(account, { encoding: 'base64', commitment: 'finalized' }).send();
  const bytes = value ? new Uint8Array(getBase64Encoder().encode(value.data[0])) : new Uint8Array();
  if (value?.owner !== UPGRADEABLE_LOADER || bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(0, true) !== PROGRAM_DATA) return undefined;
  return {
    sha256: await hashCode(bytes.subarray(HEADER_BYTES)),
    upgradeAuthority: bytes[12] === 1 ? getAddressDecoder().decode(bytes, 13) : null,
    deployedSlot: view.getBigUint64(4, true),
  };
}

/** The account may be larger than the program: zeros follow. */
async function hashCode(code: Uint8Array): Promise<string> {
  const used = code.findLastIndex((byte) => byte !== 0) + 1;
  const { byteCount } = RELEASED_CODE;
  const end = used <= byteCount && byteCount <= code.length ? byteCount : used;
  const hash = await crypto.subtle.digest('SHA-256', code.slice(0, end));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
