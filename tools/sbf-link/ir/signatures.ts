import {
  bracketed,
  GLOBAL_NAME,
  leadingType,
  parseTypedValue,
  registersOf,
  splitTopLevel,
  type TypedValue,
  trailingType,
} from './syntax.ts';

/**
 * BPF passes five arguments and returns one value, all in registers. A Rust handler (result, program, accounts with
 * their number, data with its length) already has six. As in Solana's own compiler, the rest goes through memory of
 * the caller:
 *
 *   T f(a, b, c, d, e, f)     becomes   T f(a, b, c, d, ptr arguments)    with e and f stored there
 *   { i64, i64 } f(a)         becomes   void f(ptr result, a)
 *
 * Functions that are called through a pointer keep their signature, and llc names them if it is too wide. Expects
 * every value to have a name (opt -passes=instnamer).
 */
export function lowerWideSignatures(ir: string, kept: ReadonlySet<string>): string {
  const lines = withoutStructReturns(ir).split('\n');
  const wide = withoutAddressTaken(findWideFunctions(lines, kept), lines);
  const output: string[] = [];
  for (let start = 0; start < lines.length; start++) {
    const line = lines[start] ?? '';
    if (!line.startsWith('define ')) {
      output.push(line);
      continue;
    }
    const end = lines.indexOf('}', start);
    output.push(...lowerFunction(lines.slice(start, end + 1), wide));
    start = end;
  }
  return output.join('\n');
}

type WideFunction = {
  /** The text between `define` and the name. */
  head: string;
  result: string;
  resultInMemory: boolean;
  parameters: TypedValue[];
  inRegisters: number[];
  inMemory: { index: number; offset: number }[];
  memoryBytes: number;
};

type WideFunctions = ReadonlyMap<string, WideFunction>;

const ARGUMENT_REGISTERS = 5;
const NAME_AND_BRACKET = new RegExp(`(${GLOBAL_NAME})\\(`);
const CALL = new RegExp(
  String.raw`^(\s+)((?:%[\w.$"-]+ = )?)(?:tail |notail )?call ([^@]*?)(${GLOBAL_NAME})\(`,
);

/** The attribute matters only to calling conventions that BPF lacks; the pointer is an ordinary argument. */
const withoutStructReturns = (ir: string): string => ir.replace(/ sret\((?:[^()]|\([^()]*\))*\)/g, '');

function findWideFunctions(lines: readonly string[], kept: ReadonlySet<string>): Map<string, WideFunction> {
  const wide = new Map<string, WideFunction>();
  for (const line of lines) {
    const match = line.startsWith('define ') && NAME_AND_BRACKET.exec(line);
    const name = match ? match[1] : undefined;
    if (!match || !name || kept.has(name.slice(1))) continue;
    const head = line.slice('define '.length, match.index).trim();
    const { inner } = bracketed(line, match.index + name.length);
    const layout = layOut(trailingType(head), splitTopLevel(inner).map(parseTypedValue));
    if (layout) wide.set(name, { head, ...layout });
  }
  return wide;
}

/** Which parameters stay in registers and which move to memory; undefined for a signature that fits. */
function layOut(result: string, parameters: TypedValue[]): Omit<WideFunction, 'head'> | undefined {
  const resultInMemory = result !== 'void' && registersOf(result) > 1;
  const registers = resultInMemory ? ARGUMENT_REGISTERS - 1 : ARGUMENT_REGISTERS;
  const fits = parameters.reduce((sum, { type }) => sum + registersOf(type), 0) <= registers;
  if (fits && !resultInMemory) return undefined;

  const inRegisters: number[] = [];
  const inMemory: WideFunction['inMemory'] = [];
  let memoryBytes = 0;
  parameters.forEach(({ type }, index) => {
    // One register holds the address of the arguments in memory.
    const hasRegister =
      registersOf(type) === 1 && inRegisters.length < registers - 1 && inMemory.length === 0;
    if (fits || hasRegister) inRegisters.push(index);
    else {
      inMemory.push({ index, offset: memoryBytes });
      memoryBytes += 8 * registersOf(type);
    }
  });
  return { result, resultInMemory, parameters, inRegisters, inMemory, memoryBytes };
}

function withoutAddressTaken(wide: Map<string, WideFunction>, lines: readonly string[]): WideFunctions {
  const mentions = new RegExp(GLOBAL_NAME, 'g');
  for (const line of lines) {
    if (line.startsWith('define ') || line.startsWith('declare ')) continue;
    const call = CALL.exec(line);
    const calleeAt = call ? call[0].length - 1 - (call[4] ?? '').length : -1;
    for (const { 0: name, index } of line.matchAll(mentions)) if (index !== calleeAt) wide.delete(name);
  }
  return wide;
}

function lowerFunction(body: readonly string[], wide: WideFunctions): string[] {
  const [define = '', ...rest] = body;
  const name = NAME_AND_BRACKET.exec(define)?.[1] ?? '';
  const self = wide.get(name);
  const labels = /^[\w.$"-]+:/.test(rest[0] ?? '') ? rest.splice(0, 1) : [];
  const scratch: CallerMemory = { argumentBytes: 0, results: new Map(), slots: 0 };
  const statements = rest.flatMap(
    (line) => (self && lowerReturn(line, self)) ?? lowerCall(line, wide, scratch) ?? [line],
  );
  return [
    self ? lowerDefine(name, self) : define,
    ...labels,
    ...allocations(scratch),
    ...(self ? loadParameters(self) : []),
    ...statements,
  ];
}

function lowerDefine(name: string, self: WideFunction): string {
  const parameters = self.inRegisters.map((index) => self.parameters[index]?.text ?? '');
  if (self.resultInMemory) parameters.unshift('ptr %sbf.result');
  if (self.inMemory.length) parameters.push('ptr %sbf.arguments');
  const linkage = self.head
    .split(' ')
    .filter((word) => ['internal', 'fastcc', 'hidden', 'dso_local'].includes(word));
  const head = self.resultInMemory ? [...linkage, 'void'].join(' ') : self.head;
  // Attributes of the old signature, such as the memory it touches, no longer hold.
  return `define ${head} ${name}(${parameters.join(', ')}) unnamed_addr nounwind {`;
}

function loadParameters({ inMemory, parameters }: WideFunction): string[] {
  return inMemory.flatMap(({ index, offset }) => {
    const { type, value } = parameters[index] as TypedValue;
    const pointer = `%sbf.in.${offset}`;
    return [
      `  ${pointer} = getelementptr i8, ptr %sbf.arguments, i64 ${offset}`,
      `  ${value} = load ${type}, ptr ${pointer}, align 8`,
    ];
  });
}

function lowerReturn(line: string, self: WideFunction): string[] | undefined {
  const value = self.resultInMemory && /^\s+ret (.*)$/.exec(line)?.[1];
  if (!value) return undefined;
  const { type, value: returned } = parseTypedValue(splitTopLevel(value)[0] ?? '');
  return [`  store ${type} ${returned}, ptr %sbf.result, align 8`, '  ret void'];
}

/** The memory a function needs for all the calls it makes. */
type CallerMemory = {
  argumentBytes: number;
  /** By type of the result. */
  results: Map<string, string>;
  slots: number;
};

function lowerCall(line: string, wide: WideFunctions, memory: CallerMemory): string[] | undefined {
  const call = CALL.exec(line);
  const [, indent = '', assignment = '', head = '', name = ''] = call ?? [];
  const callee = wide.get(name);
  if (!call || !callee) return undefined;

  const values = splitTopLevel(bracketed(line, call[0].length - 1).inner).map(parseTypedValue);
  const stores = callee.inMemory.flatMap(({ index, offset }) => {
    const { type, value } = values[index] as TypedValue;
    const slot = `%sbf.slot.${memory.slots++}`;
    return [
      `${indent}${slot} = getelementptr i8, ptr %sbf.outgoing, i64 ${offset}`,
      `${indent}store ${type} ${value}, ptr ${slot}, align 8`,
    ];
  });
  const operands = callee.inRegisters.map((index) => values[index]?.text ?? '');
  if (callee.inMemory.length) {
    operands.push('ptr %sbf.outgoing');
    memory.argumentBytes = Math.max(memory.argumentBytes, callee.memoryBytes);
  }
  if (!callee.resultInMemory)
    return [...stores, `${indent}${assignment}call ${head}${name}(${operands.join(', ')})`];

  const result = memory.results.get(callee.result) ?? `%sbf.result.${memory.results.size}`;
  memory.results.set(callee.result, result);
  const convention = /\bfastcc\b/.test(head) ? 'fastcc ' : '';
  return [
    ...stores,
    `${indent}call ${convention}void ${name}(${[`ptr ${result}`, ...operands].join(', ')})`,
    ...(assignment
      ? [`${indent}${assignment}load ${leadingType(callee.result)}, ptr ${result}, align 8`]
      : []),
  ];
}

function allocations({ argumentBytes, results }: CallerMemory): string[] {
  const outgoing = argumentBytes ? [`  %sbf.outgoing = alloca [${argumentBytes / 8} x i64], align 8`] : [];
  return [...outgoing, ...[...results].map(([type, name]) => `  ${name} = alloca ${type}, align 8`)];
}
