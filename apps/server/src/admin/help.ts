import type { Command, Options } from './command.ts';

const TOOL = 'npm run engulf --';

export function toolHelp(commands: readonly Command[]): string {
  return [
    "The operator's tool. It works on the database and chain of the environment's configuration, or through the",
    'running server if the database is embedded.',
    '',
    `  ${TOOL} <command> [options]`,
    '',
    ...list(commands),
    '',
    `${TOOL} verify <match or file> checks a match as everybody can (npm run verify).`,
    `${TOOL} <command> --help explains one. Every change needs --reason "…" and can be tried with --dry-run.`,
    'Exit codes: 0 done, 1 refused, 2 not understood, 3 unfinished (run the same command again).',
  ].join('\n');
}

export function groupHelp(group: string, commands: readonly Command[]): string {
  return [`Commands of ${group}:`, '', ...list(commands), '', `${TOOL} <command> --help explains one.`].join(
    '\n',
  );
}

export function commandHelp(command: Command, options: Options): string {
  const words = command.positionals.map((name) => `<${name}>`).join(' ');
  const names = Object.entries(options).map(([name, option]) => {
    const value = option.type === 'string' ? ` ${option.value ?? 'TEXT'}` : '';
    return [`--${name}${value}`, `${option.about}${option.multiple ? ' May be repeated.' : ''}`] as const;
  });
  return [
    `${TOOL} ${command.name}${words && ` ${words}`} [options]`,
    '',
    command.about,
    ...(command.notes ?? []),
    '',
    ...columns(names),
  ].join('\n');
}

function list(commands: readonly Command[]): string[] {
  return columns(
    commands.map(({ name, positionals, about }) => [
      [name, ...positionals.map((one) => `<${one}>`)].join(' '),
      about,
    ]),
  );
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
