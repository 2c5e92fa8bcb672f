import { AudienceError, ValidationError } from 'audience-core';
import { describeIssue } from 'audience-core/internal';
import type { ValidationIssue } from 'audience-core/internal';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import { isTool } from '../host/host.js';
import { Form } from './form.js';
import { sentences } from './text.js';

/** An input of the node that cannot be used. Nothing was sent for it. */
export class InputProblem extends Error {
  /**
   * @param message a sentence that names the field and the value.
   * @param advice what to do about it, in a sentence.
   */
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
    this.name = 'InputProblem';
  }
}

/** An error as the node shows it. */
export type NodeFailure = NodeApiError | NodeOperationError;

/** What happened, and what to do next; the latter is empty where nothing helps. */
export interface Explanation {
  readonly message: string;
  readonly advice: string;
}

/**
 * Writes the message of every error that the node shows.
 *
 * @param form gives the labels of the fields.
 */
export function explain(error: unknown, form = new Form()): Explanation {
  if (error instanceof ValidationError) return explainIssues(error, form);
  if (error instanceof InputProblem) return { message: error.message, advice: error.advice };
  if (error instanceof AudienceError) return splitSentence(withLabels(error.message, form));
  if (error instanceof Error) {
    const described: unknown = 'description' in error ? error.description : undefined;
    return { message: error.message, advice: typeof described === 'string' ? described : '' };
  }
  return { message: `Something went wrong: ${String(error)}`, advice: '' };
}

/**
 * Makes one of n8n's errors of any error.
 *
 * @param itemIndex index of the input item, where one item is to blame.
 */
export function toNodeError(node: INode, error: unknown, form?: Form, itemIndex?: number): NodeFailure {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  const { message, advice } = explain(error, form);
  const ofService = error instanceof AudienceError && !(error instanceof ValidationError) ? error : undefined;
  const at = itemIndex === undefined ? {} : { itemIndex };
  const httpCode = ofService?.status === undefined ? {} : { httpCode: String(ofService.status) };
  const failure =
    ofService === undefined
      ? new NodeOperationError(node, message, { description: advice, ...at })
      : new NodeApiError(node, { message }, { message, description: advice, ...at, ...httpCode });
  failure.context['reason'] = ofService?.code ?? 'input';
  failure.context['unclear'] = ofService?.unclear === true;
  // n8n replaces a message that contains something like a system's error code.
  failure.message = itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
  return isTool(node) ? forModel(failure) : failure;
}

/** A model reads the message alone, and can only repeat the call. */
function forModel(failure: NodeFailure): NodeFailure {
  const advice =
    failure.context['unclear'] === true
      ? 'It may have been carried out. Do not call the tool again with other values; tell the person to look it up.'
      : (failure.description ?? '');
  failure.message = sentences([`${failure.message}.`.replace(/([.!?])\.$/, '$1'), advice]);
  failure.description = '';
  return failure;
}

/** Message and next step of an error in one text, for the `error` field of an output item. */
export function fullText({ message, description }: NodeFailure): string {
  return typeof description === 'string' && description !== ''
    ? `${message}${/[.!?]$/.test(message) ? '' : '.'} ${description}`
    : message;
}

function explainIssues(error: ValidationError, form: Form): Explanation {
  const issues = firstPerField(error.issues);
  const problems = issues.map((issue) => withLabels(describeIssue(issue, form.nameOf), form));
  const names = issues.filter(({ path }) => path.length > 0).map(({ path }) => form.nameOf(path.slice(0, 1)));
  const subject = names.length === 0 ? 'the value' : [...new Set(names)].join(' and ');
  return { message: `${error.what}: ${problems.join('; ')}`, advice: `Correct ${subject}.` };
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

/** The core names options of programs; the node has labels. */
function withLabels(text: string, form: Form): string {
  return text.replace(
    /'(allowInsecure|addToAudience)'/g,
    (_match, name: string) => `'${form.nameOfField(name)}'`,
  );
}

/** The first sentence, and the rest. */
function splitSentence(text: string): Explanation {
  const match = /^(.*?[^.])\.\s+(?=\p{Lu})(.*)$/su.exec(text);
  return match === null
    ? { message: text.replace(/\.$/, ''), advice: '' }
    : { message: match[1] ?? text, advice: match[2] ?? '' };
}
