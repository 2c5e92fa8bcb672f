import { standIn } from '../../hosts/pulumi/index.js';
import { contacts } from '../../hosts/pulumi/scenarios/contacts.js';
import { faults, FEW } from '../../hosts/pulumi/scenarios/faults.js';
import { lifecycle } from '../../hosts/pulumi/scenarios/lifecycle.js';
import { clarity, removal } from '../../hosts/pulumi/scenarios/removal.js';
import { schema } from '../../hosts/pulumi/scenarios/schema.js';
import { state } from '../../hosts/pulumi/scenarios/state.js';

/**
 * One way through the whole for each resource, on the stand-in: what resources do is held by their unit tests, and all
 * scenarios run with `npm run test:hosts`.
 */
const SHOWN = [
  'a contact property is created once',
  'a contact that does not exist is created by its event',
  'renames without an alias and rows that move',
  'a contact whose properties are an Output',
  'contacts that fail are named by line',
  'a secret input stays secret in state',
  'functions read contacts, properties, groups and designs',
  'kill -9',
];

const all = [...lifecycle, ...removal, ...clarity, ...contacts, ...schema, ...state, ...faults(1, FEW)];
const shown = SHOWN.map((part) => all.find(({ name }) => name.includes(part)));

describe('on the stand-in for the engine', () => {
  test.each(shown.map((scenario, index) => [scenario?.name ?? SHOWN[index], scenario] as const))(
    '%s',
    async (_name, scenario) => {
      expect(scenario).toBeDefined();
      await scenario?.run(standIn);
    },
  );
});
