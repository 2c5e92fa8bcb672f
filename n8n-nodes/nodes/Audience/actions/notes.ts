import type { Item } from './operation.js';

/**
 * That a field was left out, as nothing was given for it; for the end of a sentence.
 *
 * @param advice a sentence on the names of the input's fields; begins with a blank.
 */
export function leftOut(subject: string, advice = ''): string {
  const what = `${subject.charAt(0).toLowerCase()}${subject.slice(1)} was left out, as there was no value for it`;
  return `${what}.${advice}`.replace(/\.$/, '');
}

/** Notes a field of the form that was left out, as its expression gives nothing for the item. */
export function noteLeftOut({ parameters, note }: Item, name: string): void {
  if (!parameters.mustGiveSomething(name)) return;
  note(leftOut(`'${parameters.form.label(name)}'`, parameters.adviceOnNames));
}

/** How a number was read whose dot may have been meant to separate thousands; for the end of a sentence. */
export function dotRead(subject: string): string {
  return `${subject} came as a text such as 1.200, whose dot was read as a decimal point, not as a thousands separator`;
}
