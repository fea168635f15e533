/** Up to this size llc unrolls a copy into loads and stores, which cost less than a syscall. */
const INLINE_BYTES = 256;

const LENGTH = String.raw`i64 (?:\w+(?:\([^)]*\))? )*([%\w.\-"$]+)`;
const INTRINSIC = new RegExp(
  String.raw`@llvm\.(memcpy|memmove|memset)(?:\.inline)?\.p0(?:\.p0)?\.i64\((.*), ${LENGTH}, i1 (?:false|true)\)`,
  'g',
);

/**
 * LLVM turns a long copy, or one of unknown length, into a call to memcpy, which its BPF back end then refuses. Here it
 * becomes a call to the function in runtime.ll instead.
 */
export function callMemoryFunctions(ir: string): string {
  const used = new Set<string>();
  const lines = ir.split('\n').map((line) =>
    line.startsWith('declare ')
      ? line
      : line.replace(INTRINSIC, (intrinsic, name: string, operands: string, bytes: string) => {
          if (/^\d+$/.test(bytes) && Number(bytes) <= INLINE_BYTES) return intrinsic;
          used.add(name);
          return `@sbf_${name}(${operands}, i64 ${bytes})`;
        }),
  );
  return [...lines, ...[...used].sort().map((name) => DECLARATIONS[name as keyof typeof DECLARATIONS])].join(
    '\n',
  );
}

const DECLARATIONS = {
  memcpy: 'declare void @sbf_memcpy(ptr, ptr, i64)',
  memmove: 'declare void @sbf_memmove(ptr, ptr, i64)',
  memset: 'declare void @sbf_memset(ptr, i8, i64)',
};
