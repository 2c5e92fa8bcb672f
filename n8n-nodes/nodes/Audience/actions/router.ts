import { CONCURRENCY } from 'audience-core/internal';
import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { Form } from '../form/labels.js';
import { Parameters } from '../form/parameters.js';
import { isTool } from '../host/host.js';
import { asHtml } from '../messages/text.js';
import { toNodeError } from '../node-error.js';
import { OnceOnly } from '../once-only/once-only.js';
import { failedItem } from '../run/report.js';
import { runItems } from '../run/items.js';
import type { Operation, Resource } from '../item/operation.js';
import { openSession, RUN_LIMITS } from '../service/session.js';
import { allFields, RESOURCES } from './resources.js';

/** Carries out the chosen operation for all input items. */
export async function router(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const inputs = context.getInputData();
  let form: Form | undefined;
  let isCarriedOut = false;
  try {
    if (inputs.length === 0) return [];
    const { resource, operation } = chosenOperation(context);
    const node = context.getNode();
    form = new Form(allFields(operation), isTool(node) ? node.parameters : undefined);
    const parameters = new Parameters(context, 0, form, () => undefined);
    const option = 'options.concurrency';
    const concurrency = form.field(option) === undefined ? CONCURRENCY : parameters.number(option);
    const session = await openSession(context, RUN_LIMITS, context.getExecutionCancelSignal());
    const once = new OnceOnly(context, session, `${resource.value}.${operation.value}`);
    if (operation.kind === 'sends') once.assertAnchor();
    isCarriedOut = true;
    return await runItems({ context, session, operation, form, once, concurrency });
  } catch (error) {
    const failure = toNodeError(context.getNode(), error, form);
    const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
    if (isCancelled || !context.continueOnFail()) {
      if (!isCarriedOut) failure.description = asHtml(failure.description ?? '');
      throw failure;
    }
    // n8n would pass the input on as if all of it had succeeded.
    return inputs.map((_item, index) => failedItem(failure, index));
  }
}

function chosenOperation(context: IExecuteFunctions): { resource: Resource; operation: Operation } {
  const chosen = context.getNodeParameter('resource', 0);
  const name = context.getNodeParameter('operation', 0);
  const resource = RESOURCES.find(({ value }) => value === chosen);
  const operation = resource?.operations.find(({ value }) => value === name);
  if (resource !== undefined && operation !== undefined) return { resource, operation };
  throw new NodeOperationError(
    context.getNode(),
    `There is no operation '${name}' for the resource '${chosen}'`,
    { description: "Choose one of the lists 'Resource' and 'Operation'." },
  );
}
