import { parseValue } from 'audience-core/internal';
import { InputProblem } from '../helpers/errors.js';
import { misfit } from '../helpers/values.js';
import type { ContactFormField } from './contact-fields.js';

/** Names of columns by which other tools say that a person has opted out, and values of those that say the state. */
const OPT_OUT_NAME =
  /unsubscrib|opt(ed)?[-_ ]?out|(^|[^a-z])do[-_ ]?not[-_ ]?(e[-_ ]?mail|mail|contact)$|^(dnc|doNot(Email|Mail|Contact))$/i;
/** Names by which they say that a person has not, and those of them that are about something else than email. */
const OPT_IN_NAME =
  /^is[-_ ]?subscribed$|^subscribed\W*$|(^|[^a-z])opt(ed)?[-_ ]?in$|^(email)?opt(ed)?in$|accepts?[-_ ]?(e[-_ ]?mail|marketing)$|marketing[-_ ]?consent$/i;
const OTHER_CHANNEL = /sms|push|call|phone/i;
const OPTED_OUT = /^(unsubscribed|opt(ed)?[-_ ]?out)$/i;

/** @throws InputProblem for somebody who has opted out, or may have, where the operation would add them as subscribed. */
export function refuseOptOut(name: string, value: unknown, builtIn: readonly ContactFormField[]): void {
  const canUnsubscribe = builtIn.some((field) => field.name === 'subscribed');
  const read = readFlag(value);
  if (name.toLowerCase() !== 'subscribed') {
    const saysOut = OPT_OUT_NAME.test(name)
      ? read !== false
      : OPTED_OUT.test(String(value).trim()) ||
        (OPT_IN_NAME.test(name) && !OTHER_CHANNEL.test(name) && read === false);
    if (canUnsubscribe || !saysOut) return;
    throw new InputProblem(
      `The field '${name}' of the input is '${String(value).trim()}', as if the person had opted out, and this operation would add them as subscribed`,
      KEEP_AWAY,
    );
  }
  if (read === true) return;
  if (canUnsubscribe) {
    throw new InputProblem(
      `The field '${name}' of the input is not taken, as its name is written 'subscribed'`,
      "Rename it with an 'Edit Fields' node, so that those who have opted out are unsubscribed, or take it out of the input.",
    );
  }
  throw new InputProblem(
    read === false
      ? `The field '${name}' of the input is false, and this operation cannot unsubscribe`
      : `The field '${name}' of the input is neither true nor false, so that nobody knows whether the person has opted out`,
    KEEP_AWAY,
  );
}

/**
 * Reads a switch that can only be turned off.
 *
 * @param automatic whether the column is read for everybody by its name, so that it may be on as it is.
 * @throws InputProblem for any other value.
 */
export function readOptOut(subject: string, value: unknown, automatic: boolean): boolean {
  const read = parseValue('boolean', value);
  if (read.ok && typeof read.value === 'boolean' && (!read.value || automatic)) return read.value;
  throw misfit(
    subject,
    value,
    automatic ? 'true or false' : 'false (unsubscribed), as only the contact can subscribe again',
    `Contact > Unsubscribe does the same: send it only those who opt out, by a Filter node. Or give ${automatic ? "the column these values, by an 'Edit Fields' node before this one." : "false for them and nothing for the others: {{ $json['column'] === 'no' ? false : '' }}, with the name of your column and its word."}`,
  );
}

const KEEP_AWAY =
  "Keep those who have opted out away (with an 'If' or 'Filter' node before this one), or send them to Contact > Unsubscribe. If the field means something else, take it out of the input with an 'Edit Fields' node.";

/** A column of a spreadsheet that says yes or no. */
function readFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (['yes', 'y'].includes(text)) return true;
  if (['no', 'n'].includes(text)) return false;
  const read = parseValue('boolean', value);
  return read.ok ? read.value : undefined;
}
