import { AudienceError, ValidationError } from 'audience-core';
import type { ValidationIssue } from 'audience-core';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

/** An input of the node that cannot be used. `message` is a sentence that names the field and the value. */
export class InputProblem extends Error {
  constructor(
    message: string,
    /** What to do about it, in a sentence. */
    readonly advice: string,
  ) {
    super(message);
    this.name = 'InputProblem';
  }
}

/** An error as the node shows it. */
export type NodeFailure = NodeApiError | NodeOperationError;

/** Names that people see in the node, by the name of the field in the interface. */
const LABELS: Readonly<Record<string, string>> = {
  transactionalId: 'Email Design',
  email: 'Email',
  userId: 'User ID',
  eventName: 'Event Name',
  eventProperties: 'Event Properties',
  dataVariables: 'Variables',
  firstName: 'First Name',
  lastName: 'Last Name',
  subscriptionGroups: 'Subscription Groups',
  subscribed: 'Subscribed',
  source: 'Source',
  identifier: 'Contact',
  name: 'Name',
  type: 'Type',
  idempotencyKey: 'Idempotency Key',
  baseUrl: 'Base URL',
  apiKey: 'API Key',
  allowInsecure: 'Allow Unencrypted Connection',
  addToAudience: 'Add to Audience',
  requestsPerSecond: 'Requests per Second',
  concurrency: 'Items at Once',
  timeoutMs: 'Timeout',
  maxRetries: 'Retries',
};

/** Fields that messages of the core refer to as something to switch on. */
const OPTIONS_IN_TEXT = /'(allowInsecure|addToAudience)'/g;

/**
 * The one place where an error becomes one of n8n's. `message` says what happened to which thing, `description`
 * what to do next.
 *
 * @param itemIndex index of the input item, where one item is to blame.
 */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeFailure {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  const place = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
  if (error instanceof ValidationError) {
    const [message, advice] = explainIssues(error);
    return operationError(node, `${message}${place}`, advice, itemIndex);
  }
  if (error instanceof InputProblem) {
    return operationError(node, `${error.message}${place}`, error.advice, itemIndex);
  }
  if (error instanceof AudienceError) {
    const [message, advice] = splitSentence(withoutSystemCode(error.message));
    const failure = new NodeApiError(
      node,
      { message },
      {
        message,
        description: advice,
        ...(error.status === undefined ? {} : { httpCode: String(error.status) }),
        ...(itemIndex === undefined ? {} : { itemIndex }),
      },
    );
    failure.message = `${message}${place}`;
    return failure;
  }
  if (error instanceof Error) {
    const described: unknown = 'description' in error ? error.description : undefined;
    const advice = typeof described === 'string' ? described : '';
    return operationError(node, `${error.message}${place}`, advice, itemIndex);
  }
  return operationError(node, `Something went wrong: ${String(error)}${place}`, '', itemIndex);
}

/** Message and next step of an error in one text, for the `error` field of an output item. */
export function fullText(error: NodeFailure): string {
  const { description } = error;
  return typeof description === 'string' && description !== ''
    ? `${error.message} ${description}`
    : error.message;
}

function operationError(
  node: INode,
  message: string,
  description: string,
  itemIndex: number | undefined,
): NodeOperationError {
  const failure = new NodeOperationError(node, message, {
    description,
    ...(itemIndex === undefined ? {} : { itemIndex }),
  });
  // n8n puts words of its own in place of a message that contains something like a system's error code.
  failure.message = message;
  return failure;
}

function explainIssues(error: ValidationError): [string, string] {
  const what = error.message.slice(0, error.message.indexOf(': '));
  const [first] = error.issues;
  const issues = firstPerField(error.issues);
  const problems = issues.map(explainIssue).join('; ');
  const fields = [...new Set(issues.map(({ path }) => label(path[0])))];
  const named =
    fields.length === 1
      ? `the field '${fields[0]}'`
      : `the fields ${fields.map((name) => `'${name}'`).join(', ')}`;
  return [
    `${what}: ${problems}`,
    first === undefined ? '' : `Correct ${named}. Nothing was sent for this item.`,
  ];
}

/** A value that is wrong in itself often breaks a rule over several fields as well; once is enough. */
function firstPerField(issues: readonly ValidationIssue[]): ValidationIssue[] {
  const seen = new Set<string>();
  return issues.filter(({ path }) => {
    const field = path.join('.');
    if (seen.has(field)) return false;
    seen.add(field);
    return true;
  });
}

function explainIssue({ path, message: text }: ValidationIssue): string {
  const message = text.replace(OPTIONS_IN_TEXT, (_match, name: string) => `'${label(name)}'`);
  if (path.length === 0 || message.startsWith("'")) return message;
  const [first, ...rest] = path;
  const inside = rest.length === 0 ? '' : ` > '${rest.join('.')}'`;
  return `'${label(first)}'${inside} ${message}`;
}

function label(field: string | number | undefined): string {
  const name = String(field ?? '');
  return Object.hasOwn(LABELS, name) ? (LABELS[name] ?? name) : name;
}

/** The first sentence, and the rest. */
function splitSentence(text: string): [string, string] {
  const match = /^(.*?[^.])\.\s+(?=\p{Lu})(.*)$/su.exec(text);
  return match === null ? [text.replace(/\.$/, ''), ''] : [match[1] ?? text, match[2] ?? ''];
}

/** People have no use for ECONNREFUSED, and n8n replaces any message that contains it. */
function withoutSystemCode(text: string): string {
  return text.replace(/ \(E[A-Z_]+\)/, '');
}
