import { mistakes, wrongInput } from '../../hosts/pulumi/scenarios/wrong-input.js';
import { standIn } from '../../hosts/pulumi/index.js';

/** One mistake of each kind: all of them are unit tests of the checks, and run on the engine by `npm run test:hosts`. */
const SHOWN = [
  'not camelCase',
  'change of type',
  'subscribed: true',
  'value of the wrong type',
  'change of email',
];
const isShown = ({ name }: { readonly name: string }): boolean =>
  SHOWN.some((part) => name.endsWith(part) || name.includes(`${part} `));

jest.setTimeout(120_000);

describe('wrong input, on the stand-in', () => {
  test.each(
    [...wrongInput, ...mistakes.filter(isShown)].map((scenario) => [scenario.name, scenario] as const),
  )('%s', async (_name, scenario) => {
    await scenario.run(standIn);
  });
});
