import type { IDataObject, INodeParameters } from 'n8n-workflow';
import * as z from 'zod/v4-mini';
import { emailParameters, ours, to, TRIGGER, type Setup } from '../support.js';
import { ITEM, NO_IDENTIFIERS, SENT, STOPPED } from './cases.js';

const codeSchema = z.object({ code: z.string() });

/** What came of an expression: what the service received, or why the item stopped. */
export interface Played {
  readonly sent?: unknown;
  /** Code of the problem, or the error of a run that was no problem of the input. */
  readonly error?: string;
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
      return { error: received === undefined ? code : `${code} (sent)` };
    }
    return { sent: received?.variables['firstName'] };
  });
}
