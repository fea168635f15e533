import {
  isSwitchName,
  readSwitches,
  SWITCHES,
  type SwitchName,
  writeSwitch,
} from '../../platform/switches.ts';
import {
  type AdminContext,
  type Change,
  type Command,
  defineChange,
  defineRead,
  UsageError,
} from '../command.ts';
import { showTable } from '../show.ts';

const NAMES = Object.keys(SWITCHES) as SwitchName[];

const listSwitches = defineRead({
  name: 'switch list',
  about: 'Lists what can be switched while the servers run.',
  positionals: [],
  options: {},
  read: async ({ admin }) => {
    const values = await readSwitches(admin.db);
    const rows = NAMES.map((name) => ({
      name,
      value: JSON.stringify(values[name]),
      initial: JSON.stringify(SWITCHES[name].initial),
      about: SWITCHES[name].about,
    }));
    return showTable(rows, '');
  },
});

const setSwitch = defineChange({
  name: 'switch set',
  about: 'Sets a switch. Every server follows within three seconds.',
  notes: ['Values: on or off; a text; or a list such as GB,US. See: npm run engulf -- switch list'],
  positionals: ['name', 'value'],
  options: {},
  prepare: async ({ admin, positionals: [nameText, text] }) => {
    const name = nameOf(nameText!);
    return prepare(admin, name, switchValueOf(name, text!));
  },
});

const clearSwitch = defineChange({
  name: 'switch clear',
  about: 'Sets a switch back to its initial value.',
  positionals: ['name'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => prepare(admin, nameOf(text!), undefined),
});

/** A value of undefined clears the switch. */
async function prepare(admin: AdminContext, name: SwitchName, value: unknown): Promise<Change> {
  const before = (await readSwitches(admin.db))[name];
  const after = value === undefined ? SWITCHES[name].initial : value;
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return {
    lines: isSame ? [] : [`${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`],
    apply: async ({ note }) => {
      await admin.db.transaction(async (tx) => {
        await writeSwitch(tx, name, value, admin.nowMs());
        await note(tx, name, { before, after });
      });
    },
  };
}

function nameOf(text: string): SwitchName {
  if (isSwitchName(text)) return text;
  throw new UsageError(`There is no switch "${text}". There are: ${NAMES.join(', ')}.`);
}

/** The first reading of the text that the switch accepts. */
function switchValueOf(name: SwitchName, text: string): unknown {
  const readings = [
    jsonOf(text),
    { on: true, off: false }[text],
    text,
    text.split(',').map((part) => part.trim()),
  ];
  for (const reading of readings) {
    const parsed = SWITCHES[name].schema.safeParse(reading);
    if (reading !== undefined && parsed.success) return parsed.data;
  }
  throw new UsageError(`"${text}" is not a value of ${name}. ${SWITCHES[name].about}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const SWITCH_COMMANDS: readonly Command[] = [listSwitches, setSwitch, clearSwitch];
