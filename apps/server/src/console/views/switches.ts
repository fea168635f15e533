import { readSwitches, SWITCHES, type SwitchName } from '../../platform/switches.ts';
import { offer, table, toned } from '../sections.ts';
import type { View } from '../view.ts';

export const switchesView: View = {
  title: 'Switches',
  least: 'operator',
  read: async ({ db }, user) => {
    const values = await readSwitches(db);
    return [
      table(
        'What can be switched while the servers run',
        ['switch', 'value', 'what it does'],
        (Object.keys(SWITCHES) as SwitchName[]).map((name) => {
          const value = values[name];
          const isInitial = JSON.stringify(value) === JSON.stringify(SWITCHES[name].initial);
          const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : value.join(', ') || 'none';
          return {
            cells: {
              switch: name,
              value: toned(text, isInitial ? 'quiet' : 'warn'),
              'what it does': SWITCHES[name].about,
            },
            actions: offer(
              user,
              typeof value === 'boolean' && {
                label: value ? 'Switch off' : 'Switch on',
                command: 'switch set',
                positionals: [name, value ? 'off' : 'on'],
              },
              typeof value !== 'boolean' && {
                label: 'Set',
                command: 'switch set',
                positionals: [name],
                asks: [{ name: '+', label: 'Codes, with commas', value: value.join(',') }],
              },
              !isInitial &&
                typeof value !== 'boolean' && {
                  label: 'Clear',
                  command: 'switch clear',
                  positionals: [name],
                },
            ),
          };
        }),
        { empty: '', note: 'Every server follows within three seconds.' },
      ),
    ];
  },
};
