import {
  AccountRole,
  type Address,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  lamports,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import type { LiteSVM } from 'litesvm';

const LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
const RENT_SYSVAR = address('SysvarRent111111111111111111111111111111111');
const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');
const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const BUFFER_HEADER_BYTES = 37;
const PROGRAM_ACCOUNT_BYTES = 36n;

export async function findProgramData(program: Address): Promise<Address> {
  const seeds = [getAddressEncoder().encode(program)];
  return (await getProgramDerivedAddress({ programAddress: LOADER, seeds }))[0];
}

/**
 * The loader's own deploy instruction, with its verification of the bytecode. Only the buffer is set directly, instead of
 * by some sixty transactions.
 */
export async function deployInstructions(
  svm: LiteSVM,
  program: KeyPairSigner,
  upgradeAuthority: KeyPairSigner,
  elf: Uint8Array,
): Promise<Instruction[]> {
  const buffer = (await generateKeyPairSigner()).address;
  const data = new Uint8Array(BUFFER_HEADER_BYTES + elf.length);
  data[0] = 1; // UpgradeableLoaderState::Buffer
  data[4] = 1; // with an authority
  data.set(getAddressEncoder().encode(upgradeAuthority.address), 5);
  data.set(elf, BUFFER_HEADER_BYTES);
  const rentOf = (bytes: bigint) => lamports(svm.minimumBalanceForRentExemption(bytes));
  svm.setAccount({
    address: buffer,
    data,
    executable: false,
    lamports: rentOf(BigInt(data.length)),
    programAddress: LOADER,
    space: BigInt(data.length),
  });
  const createProgramAccount = getCreateAccountInstruction({
    payer: upgradeAuthority,
    newAccount: program,
    lamports: rentOf(PROGRAM_ACCOUNT_BYTES),
    space: PROGRAM_ACCOUNT_BYTES,
    programAddress: LOADER,
  });
  const deploy: Instruction = {
    programAddress: LOADER,
    accounts: [
      { address: upgradeAuthority.address, role: AccountRole.WRITABLE_SIGNER },
      { address: await findProgramData(program.address), role: AccountRole.WRITABLE },
      { address: program.address, role: AccountRole.WRITABLE },
      { address: buffer, role: AccountRole.WRITABLE },
      { address: RENT_SYSVAR, role: AccountRole.READONLY },
      { address: CLOCK_SYSVAR, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: upgradeAuthority.address, role: AccountRole.READONLY_SIGNER },
    ],
    data: deployWithMaxDataLen(BigInt(elf.length)),
  };
  return [createProgramAccount, deploy];
}

function deployWithMaxDataLen(maxBytes: bigint): Uint8Array {
  const data = new DataView(new ArrayBuffer(12));
  data.setUint32(0, 2, true);
  data.setBigUint64(4, maxBytes, true);
  return new Uint8Array(data.buffer);
}
