import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRESET_NAMES, PRESETS } from '../profile.js';
import { PROFILE_OPTIONS } from './profile-options.js';

const PAGE = readFileSync(join(__dirname, '../../docs/profiles.md'), 'utf8');

test('docs/profiles.md describes each option as the code does', () => {
  const cells = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const options = PROFILE_OPTIONS.map(({ name, values, description, section }) =>
    cells([`\`${name}\``, values.map((value) => `\`${value}\``).join(', '), description, section]),
  );
  const shown = PAGE.split('\n').map((line) => line.replace(/ +/g, ' '));
  for (const row of options) expect(shown).toContain(row);
  expect(options).toHaveLength(10);
});

test('docs/profiles.md lists the differences of each preset from the default', () => {
  for (const name of PRESET_NAMES) {
    if (name === 'default') continue;
    const own = Object.entries(PRESETS[name]).filter(
      ([option, value]) => Object.entries(PRESETS.default).find(([known]) => known === option)?.[1] !== value,
    );
    const said = own.map(([option, value]) => `\`${option}: ${String(value)}\``).join(', ');
    expect(PAGE.replace(/\s+/g, ' ')).toContain(`**${name}**: ${said}`);
  }
});
