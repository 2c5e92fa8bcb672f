import { isRecord, parseJsonText } from 'audience-core/internal';
import { InputProblem } from '../messages/errors.js';
import { shortened } from '../messages/text.js';
import type { Parameters } from '../parameters/parameters.js';
import { isEmpty } from '../values/values.js';

/**
 * Reads a JSON field as an object of names and values.
 *
 * @throws InputProblem for a text that is no JSON object, with what is often wrong in it.
 */
export function readJsonField(parameters: Parameters, name: string): Record<string, unknown> {
  const subject = parameters.subject(name);
  const given = parameters.value(name, 'data');
  if (isEmpty(given)) return {};
  const parsed = typeof given === 'string' ? parseJsonText(given) : { value: given };
  if ('lost' in parsed && parsed.lost !== undefined)
    throw new InputProblem(`${subject} ${parsed.lost}`, 'Correct the JSON, or its expression.');
  if (!isRecord(parsed.value)) {
    const shown = typeof given === 'string' ? shortened(given) : JSON.stringify(given);
    throw new InputProblem(`${subject} is not a JSON object: ${shown}`, slipIn(shown));
  }
  checkTexts(parameters, parsed.value, subject);
  return parsed.value;
}

function checkTexts(parameters: Parameters, value: unknown, subject: string): void {
  if (typeof value === 'string') parameters.checkWords(value, subject);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) checkTexts(parameters, inner, subject);
}

/** Frequent mistakes in JSON that a user writes. */
function slipIn(json: string): string {
  if (/,\s*[}\]]/.test(json)) return 'Remove the comma in front of a closing brace.';
  if (/:\s*-?\d+,\d/.test(json)) return 'Write decimals with a dot, such as 12.5.';
  if (/[“”„]|[{,]\s*('|\w+\s*:)/.test(json))
    return 'Write names and texts in straight double quotation marks.';
  const [, name] = /"([^"]*)"\s*:\s*(?=[,}])/.exec(json) ?? [];
  if (name !== undefined) return `'${name}' has no value.`;
  if (/["\d}\]el]\s+"[^"]*"\s*:/.test(json)) return 'Write a comma between two properties.';
  return 'Write names and values in braces, such as {"orderTotal": 49.9}. For values with quotation marks, use one expression for the whole object.';
}
