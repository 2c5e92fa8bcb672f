import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRESET_NAMES, PRESETS, profileSchema } from './profile.js';

const PAGE = readFileSync(join(__dirname, '../docs/profiles.md'), 'utf8');
const PROFILE_OPTIONS = Object.entries(profileSchema.shape).map(([name, { def }]) => ({
  name,
  values: 'values' in def ? def.values.map(String) : ['milliseconds'],
}));

test('docs/profiles.md describes each option, its default first', () => {
  const shown = PAGE.replace(/ +/g, ' ');
  for (const { name, values } of PROFILE_OPTIONS)
    expect(shown).toContain(`| \`${name}\` | ${values.map((value) => `\`${value}\``).join(', ')} | `);
  expect(PROFILE_OPTIONS).toHaveLength(10);
  for (const [name, value] of Object.entries(PRESETS.default)) {
    const [first] = PROFILE_OPTIONS.find((option) => option.name === name)?.values ?? [];
    if (first !== 'milliseconds') expect({ name, first }).toEqual({ name, first: String(value) });
  }
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
