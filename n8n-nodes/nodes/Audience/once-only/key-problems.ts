import { InputProblem } from '../helpers/errors.js';
import type { KeyOfItem } from './sent-items.js';

/** Two items of a try have one own key for different contents. @param other names the item that had it before. */
export function twoContents(key: string, other: string): InputProblem {
  return new InputProblem(
    `'Idempotency Key' is '${key}' for two different contents to the same person, here and in ${other}`,
    'The service would carry out only one of them. Add to the key what tells them apart, such as a number of the order.',
  );
}

/** Another item of an earlier try has sent another content with the own key of this one, or may have. */
export function usedForAnotherContent(
  key: string,
  { itemIndex, unclear }: { readonly itemIndex: number; readonly unclear: boolean },
): InputProblem {
  const [has, why] = unclear ? ['may have', ': it got no clear answer'] : ['has', ''];
  return new InputProblem(
    `With 'Idempotency Key' '${key}' item ${itemIndex} of an earlier try ${has} sent another content to the same person${why}`,
    unclear
      ? 'If it has, the service would not carry out this one. Give this item another key; or look up what was sent, and start a new run.'
      : 'The service would not carry out this one. Give this item another key.',
  );
}

/** It cannot be known, or not be had, that the service carries out an item by the key by which it has to go. */
export function keyInDoubt(doubt: NonNullable<KeyOfItem['doubt']>): InputProblem {
  return doubt === 'ambiguous'
    ? new InputProblem(
        "It is not clear whether an earlier try has sent this: another content had the same 'Idempotency Key', and the service carries out one of the two",
        'Give the item that key again: it is sent if neither content went out with it, and else counts as sent. Look up what was; if it was the other content, send this one by a workflow of its own, too.',
      )
    : new InputProblem(
        'An earlier try has sent the same to the same person with this key, for another item',
        "Give this item another 'Idempotency Key'.",
      );
}

/** The run that is retried began longer ago than the service remembers keys. @param age in milliseconds. */
export function forgotten(age: number): InputProblem {
  return new InputProblem(
    `The run that is retried began ${Math.round(age / 3_600_000)} hours ago, and the service knows for 24 hours only what it was sent`,
    'A retry would send again what may have gone out then. Look up what did, if it got to this node; a new run sends the rest, or all of it.',
  );
}
