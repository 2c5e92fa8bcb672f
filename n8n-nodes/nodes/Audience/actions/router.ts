import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../helpers/errors.js';
import { KeyRing } from '../helpers/idempotency.js';
import { Parameters } from '../helpers/parameters.js';
import { openSession } from '../transport/session.js';
import type { Session } from '../transport/session.js';
import * as contact from './contact/index.js';
import * as contactProperty from './contactProperty/index.js';
import * as email from './email/index.js';
import * as event from './event/index.js';
import type { ListOperation, Operation } from './operation.js';
import { DEFAULT_CONCURRENCY, failedItem, runItems } from './run-items.js';
import * as subscriptionGroup from './subscriptionGroup/index.js';

/** What the node can do: resource, then operation. */
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  contact: contact.operations,
  contactProperty: contactProperty.operations,
  email: email.operations,
  event: event.operations,
  subscriptionGroup: subscriptionGroup.operations,
};

/** Carries out the chosen operation for all input items. */
export async function router(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  if (context.getInputData().length === 0) return [];
  const operation = chosenOperation(context);
  const concurrency = positive(context, 'options.concurrency') ?? DEFAULT_CONCURRENCY;
  const timeout = positive(context, 'options.timeout');
  let session: Session;
  try {
    session = await openSession(context, {
      concurrency,
      requestsPerSecond: positive(context, 'options.requestsPerSecond'),
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      maxRetries: retries(context),
    });
  } catch (error) {
    throw toNodeError(context.getNode(), error);
  }
  if (operation.kind === 'list') return await runList(context, session, operation);
  return await runItems(context, session, operation, {
    concurrency,
    finishOthers: new Parameters(context, 0).raw('options.onFailedItem') === 'finish',
  });
}

function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = context.getNodeParameter('resource', 0);
  const name = context.getNodeParameter('operation', 0);
  const operation = OPERATIONS[resource]?.[name];
  if (operation !== undefined) return operation;
  throw new NodeOperationError(
    context.getNode(),
    `There is no operation '${name}' for the resource '${resource}'`,
    {
      description: "Choose one of the lists 'Resource' and 'Operation'.",
    },
  );
}

function positive(context: IExecuteFunctions, name: string): number | undefined {
  const value = Number(new Parameters(context, 0).raw(name) ?? 0);
  return value > 0 ? value : undefined;
}

function retries(context: IExecuteFunctions): number | undefined {
  const value = new Parameters(context, 0).raw('options.retries');
  return typeof value === 'number' ? value : undefined;
}

/** A list is the same for every input item, so it is read once, with the fields of the first one. */
async function runList(
  context: IExecuteFunctions,
  session: Session,
  operation: ListOperation,
): Promise<INodeExecutionData[]> {
  const parameters = new Parameters(context, 0);
  const limit = parameters.flag('returnAll') ? undefined : (positive(context, 'limit') ?? 50);
  const keys = new KeyRing(context);
  const item = { parameters, session, keys, signal: context.getExecutionCancelSignal() };
  try {
    const entries = await operation.list(item, limit);
    return entries.map((json) => ({ json, pairedItem: { item: 0 } }));
  } catch (error) {
    const failure = toNodeError(context.getNode(), error, 0);
    if (!context.continueOnFail()) throw failure;
    return [failedItem(failure, 0)];
  }
}
