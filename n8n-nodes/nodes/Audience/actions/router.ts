import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { asHtml, toNodeError } from '../helpers/errors.js';
import { Form } from '../helpers/form.js';
import { KeyRing } from '../once-only/key-ring.js';
import type { KeyLifetime } from '../once-only/key-ring.js';
import { Parameters } from '../helpers/parameters.js';
import { openSession } from '../service/session.js';
import { allFields } from './operation.js';
import type { Operation } from './operation.js';
import { RESOURCES } from './resources.js';
import { failedItem } from '../run/run-failure.js';
import { runItems } from '../run/run-items.js';
import { readRunOptions } from './run-options.js';
import { lifetimeByForm } from './sending.js';

/** Carries out the chosen operation for all input items. */
export async function router(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const inputs = context.getInputData();
  let form: Form | undefined;
  let keys: KeyRing | undefined;
  try {
    checkHost(context);
    if (inputs.length === 0) return [];
    const operation = chosenOperation(context);
    form = new Form(allFields(operation));
    const options = readRunOptions(new Parameters(context, 0, form));
    const byForm = lifetimeByForm(operation, context);
    const lifetime = (): KeyLifetime | undefined => keys?.lifetime ?? byForm;
    const session = await openSession(context, options.limits, context.getExecutionCancelSignal(), lifetime);
    keys = new KeyRing(context, session.account, byForm);
    return await runItems({ context, session, operation, form, keys }, options);
  } catch (error) {
    const failure = toNodeError(context.getNode(), error, form);
    const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
    if (isCancelled || !context.continueOnFail()) {
      failure.description = asHtml(failure.description ?? '');
      throw failure;
    }
    // n8n would pass the input on as if all of it had succeeded.
    return inputs.map((_, index) => failedItem(failure, index));
  }
}

/** n8n installs this package on any version, so it is the node that tells when one is too old. */
function checkHost(context: IExecuteFunctions): void {
  const host: object = context;
  if ('getExecutionContext' in host && 'addExecutionHints' in host) return;
  throw new NodeOperationError(context.getNode(), 'This version of n8n is too old for the Audience node', {
    description: 'Update n8n to version 2.0 or newer.',
  });
}

function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = context.getNodeParameter('resource', 0);
  const name = context.getNodeParameter('operation', 0);
  const operation = RESOURCES.find(({ value }) => value === resource)?.operations.find(
    ({ value }) => value === name,
  );
  if (operation !== undefined) return operation;
  throw new NodeOperationError(
    context.getNode(),
    `There is no operation '${name}' for the resource '${resource}'`,
    { description: "Choose one of the lists 'Resource' and 'Operation'." },
  );
}
