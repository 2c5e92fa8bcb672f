import { AudienceError, ValidationError } from 'audience-core';
import {
  quoteOfService,
  sentence,
  wordCallEnd,
  wordIssue,
  type CallData,
  type ValidationIssue,
} from 'audience-core/internal';
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { Form } from './form/labels.js';
import { isTool } from './host/host.js';
import { wayOutOfCall } from './messages/run.js';
import { nameInside, sentences, wordProblem, type Message } from './messages/text.js';
import { InputProblem, type Problem } from './problem.js';

/** An error as the node shows it. Its `context` has the data: `reason`, `unclear`, and `problem` of the input. */
export type NodeFailure = NodeApiError | NodeOperationError;

/** The message of an error; `form` gives the names of the fields. */
export function explain(error: unknown, form = new Form(), isForModel = false): Message {
  if (error instanceof ValidationError) return explainIssues(error, form);
  if (error instanceof InputProblem) return wordProblem(error.problem, isForModel);
  if (error instanceof AudienceError) return explainCall(error);
  if (error instanceof Error) {
    const described: unknown = 'description' in error ? error.description : undefined;
    return { what: error.message, wayOut: typeof described === 'string' ? described : '' };
  }
  return { what: `Something went wrong: ${String(error)}`, wayOut: '' };
}

/** Makes one of n8n's errors of any error; `itemIndex` is that of the input item that is to blame. */
export function toNodeError(node: INode, error: unknown, form = new Form(), itemIndex?: number): NodeFailure {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  const { what, wayOut } = explain(error, form, isTool(node));
  const ofService = error instanceof AudienceError && !(error instanceof ValidationError) ? error : undefined;
  const at = itemIndex === undefined ? {} : { itemIndex };
  const httpCode = ofService?.status === undefined ? {} : { httpCode: String(ofService.status) };
  const failure =
    ofService === undefined
      ? new NodeOperationError(node, what, { description: wayOut, ...at })
      : new NodeApiError(node, { message: what }, { message: what, description: wayOut, ...at, ...httpCode });
  const { code: reason = 'input', status } = ofService ?? {};
  const problem = problemOf(error, form);
  const unclear = ofService?.unclear ?? ['forgotten', 'lost-run'].includes(problem?.code ?? '');
  Object.assign(failure.context, { reason, unclear, status }, problem);
  // n8n replaces a message that contains something like a system's error code.
  failure.message = itemIndex === undefined ? what : `${what} [item ${itemIndex}]`;
  return isTool(node) ? forModel(failure) : failure;
}

function problemOf(error: unknown, form: Form): Partial<Problem> | undefined {
  if (error instanceof InputProblem) {
    const { code, subject, part, expected } = error.problem;
    return { code, subject, part, expected };
  }
  const [issue] = error instanceof ValidationError ? error.issues : [];
  return issue && { code: 'misfit', subject: form.subjectOf(issue.path) };
}

/** A model reads the message alone, and can only repeat the call. */
function forModel(failure: NodeFailure): NodeFailure {
  const advice =
    failure.context['unclear'] === true
      ? 'It may have been carried out. Do not call the tool again with other values; tell the user to look it up.'
      : (failure.description ?? '');
  failure.message = sentences([sentence(failure.message), advice]);
  failure.description = '';
  return failure;
}

/** Message and next step of an error in one text, for the `error` field of an output item. */
export function fullText({ message, description }: NodeFailure): string {
  return sentences([sentence(message), description ?? '']);
}

function explainIssues(error: ValidationError, form: Form): Message {
  const nameOf = (path: ValidationIssue['path']) => nameInside(form.subjectOf(path));
  // A value that is wrong in itself often breaks a rule over several fields as well.
  const problems = new Map<string, string>();
  for (const issue of error.issues) {
    const field = issue.path.join('.');
    if (problems.has(field)) continue;
    problems.set(field, issue.code === 'unencrypted' ? UNENCRYPTED : wordIssue(issue, nameOf));
  }
  const path = error.issues[0]?.path.slice(0, 1) ?? [];
  const wayOut = `Correct ${path.length === 0 ? 'the value' : nameOf(path)}.`;
  return { what: `${error.what}: ${[...problems.values()].join('; ')}`, wayOut };
}

const UNENCRYPTED =
  "'Base URL' must begin with https://. For a service in a trusted network, turn on 'Allow Unencrypted Connection'";

/** Without the system's code, such as ECONNREFUSED: n8n replaces a message that contains one. */
function explainCall(error: AudienceError): Message {
  const facts: CallData = error;
  const { code } = error;
  if (code === 'validation') return { what: error.message, wayOut: '' };
  const what = wordCallEnd(code, { ...facts, networkCode: undefined });
  return { what, wayOut: sentences([quoteOfService(error), wayOutOfCall(code, error)]) };
}
