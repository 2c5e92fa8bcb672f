import type { IDataObject, INodeParameters } from 'n8n-workflow';
import * as z from 'zod/v4-mini';
import { emailParameters, ours, to, TRIGGER, type Setup } from '../support.js';
import { ADVISED, ITEM, NO_IDENTIFIERS, SENT, STOPPED } from './cases.js';

const textSchema = z.string();
const codeSchema = z.object({ code: z.string() });

/** What came of an expression: what the service received, or why the item stopped. */
export interface Played {
  readonly sent?: unknown;
  /** Code of the problem, or the error of a run that was no problem of the input. */
  readonly error?: string;
  /** What the error says. */
  readonly says?: string;
}

/** The texts to copy that a message has, and what came of each where it was pasted. */
export interface Advised {
  readonly copies: readonly string[];
  readonly failures: readonly string[];
}

/** Runs a node with every expression of the tables. */
export async function playAll(setup: Setup): Promise<Played[]> {
  const emails = (cases: typeof STOPPED | typeof SENT): INodeParameters[] =>
    cases.map(([expression], index) => ({
      ...emailParameters({}, { firstName: `=${expression}`, planName: 'Free' }),
      email: `case-${index}@example.com`,
    }));
  const events = NO_IDENTIFIERS.map(([expression], index): INodeParameters => ({
    ...{ resource: 'event', operation: 'send', eventName: 'x' },
    ...{ email: `case-${index}@example.com`, userId: `=${expression}` },
  }));
  const sent = await playNodes(setup, emails(SENT), [ITEM]);
  const stopped = await playNodes(setup, [...emails(STOPPED), ...events], [ITEM]);
  return [...sent, ...stopped];
}

/** Pastes each text to copy of each message in place of the expression, and runs that. */
export async function playAdvice(setup: Setup): Promise<Advised[]> {
  const email = (expression: string, index: number): INodeParameters => ({
    ...emailParameters({}, { firstName: `=${expression}`, planName: 'Free' }),
    email: `=case-${index}-{{ $itemIndex }}@example.com`,
  });
  // A column that some items have.
  const items = [ITEM, { ...ITEM, shop: 'x' }];
  const refused = await playNodes(
    setup,
    ADVISED.map(([expression], index) => email(expression, index)),
    items,
  );
  const pasted = refused.flatMap(({ says = '' }, at) =>
    [...says.matchAll(/\{\{ .*? \}\}/gs)].map(([copy]) => ({ copy, at })),
  );
  const played = await playNodes(
    setup,
    pasted.map(({ copy, at }, index) =>
      email(
        (ADVISED[at]?.[0] ?? '').replace(/\{\{.*?\}\}/s, () => copy),
        index,
      ),
    ),
    items,
  );
  const empty = pasted.filter(({ copy }) => copy.endsWith("'' }}"));
  const left = await playNodes(
    setup,
    empty.map(({ copy }, index) => ({ ...email(copy, index), email: `case-${index}@example.com` })),
    [{}],
  );
  const notEmpty = left.flatMap((one, index) => {
    const { copy = '', at } = empty[index] ?? {};
    return one.sent === '' ? [] : [{ at, failure: `${copy} without a value: ${JSON.stringify(one)}` }];
  });
  return ADVISED.map((_one, at) => {
    const of = pasted.flatMap((one, index) => (one.at === at ? [{ ...one, ...played[index] }] : []));
    const failures = [
      ...of.flatMap(({ copy, error }) => (error === undefined ? [] : [`${copy}: ${error}`])),
      ...notEmpty.flatMap((one) => (one.at === at ? [one.failure] : [])),
    ];
    return { copies: of.map(({ copy }) => copy), failures };
  });
}

/** Runs many nodes of one workflow: each starts one of n8n's engines only once. */
async function playNodes(
  { n8n, sandbox, credentials }: Setup,
  all: readonly INodeParameters[],
  inputItems: IDataObject[],
): Promise<Played[]> {
  sandbox.reset();
  const nodes = all.map((parameters, index) =>
    ours(`Case ${index}`, parameters, { onError: 'continueRegularOutput' }),
  );
  const connections = { Trigger: to(nodes.map(({ name }) => name)) };
  const workflow = { id: 'w', name: 'Expressions', nodes: [TRIGGER, ...nodes], connections };
  const outcome = await n8n.execute(workflow, { credentials, inputItems });
  const emails = await sandbox.emails();
  return nodes.map(({ name }, index) => {
    const received = emails.find((email) => email.to === `case-${index}@example.com`);
    const { error, details } = outcome.nodes[name]?.items[0]?.json ?? {};
    if (error !== undefined) {
      const code = codeSchema.safeParse(details).data?.code ?? JSON.stringify(error);
      const [, says = ''] = textSchema.parse(error).split('[item 0]');
      return { error: received === undefined ? code : `${code} (sent)`, says };
    }
    return { sent: received?.variables['firstName'] };
  });
}
