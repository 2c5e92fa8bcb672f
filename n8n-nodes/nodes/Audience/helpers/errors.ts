import { AudienceError, ValidationError } from 'audience-core';
import { describeIssue } from 'audience-core/internal';
import type { ValidationIssue } from 'audience-core/internal';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import { isTool } from './host.js';
import { Form } from './form.js';

/**
 * An input of the node that cannot be used, found before anything is sent. `message` is a sentence that names the field
 * and the value.
 */
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

/** A failure of what may have been carried out all the same, or was. */
export class MayBeDone extends Error {
  constructor(
    readonly refusal: AudienceError,
    /** What is known of that, as the beginning of a sentence. */
    readonly known = 'It is not clear whether an earlier try has carried it out; now',
    /** Whether it is known to be carried out. */
    readonly isDone = false,
  ) {
    super(refusal.message);
    this.name = 'MayBeDone';
  }
}

/** An error as the node shows it. */
export type NodeFailure = NodeApiError | NodeOperationError;

/** What happened, and what to do next. */
export interface Explanation {
  readonly message: string;
  readonly advice: string;
}

/**
 * The one place where an error becomes words for the person at the node.
 *
 * @param form gives the names by which the person knows the fields.
 */
export function explain(error: unknown, form = new Form()): Explanation {
  if (error instanceof ValidationError) return explainIssues(error, form);
  if (error instanceof InputProblem) return { message: error.message, advice: error.advice };
  if (error instanceof MayBeDone) {
    const { message, advice } = explain(error.refusal, form);
    return {
      message: `${error.known}: ${message}`,
      advice: error.isDone ? advice : sentences(['Look it up.', advice]),
    };
  }
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
 * @param of whether the run sends emails or events, and whether an earlier try of it may have sent something.
 */
export function toNodeError(
  node: INode,
  error: unknown,
  form?: Form,
  itemIndex?: number,
  { isLaterTry = false, sends = false } = {},
): NodeFailure {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  const explained = explain(error, form);
  const { message } = explained;
  const isInput = error instanceof InputProblem || error instanceof ValidationError;
  // What is only read is read before anything is sent.
  const isUnsent = isInput || (sends && error instanceof AudienceError && error.method === 'GET');
  const nothingSent =
    isUnsent && itemIndex !== undefined
      ? `Nothing was sent for this item${isLaterTry ? ' in this try' : ''}.`
      : '';
  const advice = sentences([explained.advice, nothingSent]);
  const at = itemIndex === undefined ? {} : { itemIndex };
  const ofService = error instanceof MayBeDone ? error.refusal : error;
  const status = ofService instanceof AudienceError ? ofService.status : undefined;
  const failure =
    ofService instanceof AudienceError && !(ofService instanceof ValidationError)
      ? new NodeApiError(
          node,
          { message },
          {
            message,
            description: advice,
            ...at,
            ...(status === undefined ? {} : { httpCode: String(status) }),
          },
        )
      : new NodeOperationError(node, message, { description: advice, ...at });
  failure.context['reason'] =
    ofService instanceof AudienceError && ofService.code !== 'validation' ? ofService.code : 'input';
  failure.context['unclear'] =
    error instanceof MayBeDone ? !error.isDone : error instanceof AudienceError && error.unclear;
  failure.context['done'] = error instanceof MayBeDone && error.isDone;
  // n8n puts words of its own in place of a message that contains something like a system's error code.
  failure.message = itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
  if (!isTool(node)) return failure;
  // A model reads the message alone.
  failure.message = fullText(failure);
  failure.description = '';
  return failure;
}

/** Text as n8n shows it unchanged: in descriptions and hints it reads HTML. */
export function asHtml(text: string): string {
  return text.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;');
}

/** Those that say something, one behind the other. */
export function sentences(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/**
 * The problem of an expression that n8n cannot evaluate.
 *
 * @param advice what to do about it, where n8n does not say so.
 */
export function failedExpression(
  subject: string,
  error: unknown,
  advice = 'Correct the expression.',
): InputProblem {
  const explained = explain(error);
  return new InputProblem(
    `The expression of ${subject.replace(/^The /, 'the ')} fails: ${explained.message}`,
    explained.advice === '' ? advice : explained.advice,
  );
}

/** Message and next step of an error in one text, for the `error` field of an output item. */
export function fullText(error: NodeFailure): string {
  const { description } = error;
  return typeof description === 'string' && description !== ''
    ? `${error.message}${/[.!?]$/.test(error.message) ? '' : '.'} ${description}`
    : error.message;
}

function explainIssues(error: ValidationError, form: Form): Explanation {
  const issues = firstPerField(error.issues);
  const problems = issues.map((issue) => withLabels(describeIssue(issue, form.nameOf), form));
  const names = [
    ...new Set(issues.filter(({ path }) => path.length > 0).map(({ path }) => form.nameOf(path.slice(0, 1)))),
  ];
  const subject = names.length === 0 ? 'the value' : names.join(' and ');
  return {
    message: `${error.what}: ${problems.join('; ')}`,
    advice: `Correct ${subject}.`,
  };
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
