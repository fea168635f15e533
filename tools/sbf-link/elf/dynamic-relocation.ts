/** What is left for the loader to do: put an address right, or call the runtime by name. */
export type DynamicRelocation = {
  address: number;
  type: typeof R_BPF_64_RELATIVE | typeof R_BPF_64_32;
  /** Only for calls of the runtime. */
  syscall?: string;
};

export const R_BPF_64_RELATIVE = 8;
export const R_BPF_64_32 = 10;
