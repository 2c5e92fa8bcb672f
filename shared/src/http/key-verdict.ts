/**
 * What a refusal says of the idempotency key: its request is still in progress, it belongs to a request with other
 * content, its request has ended (also where the service says nothing), or the refusal has another reason.
 */
export type KeyVerdict = 'in-progress' | 'another-payload' | 'used' | 'other';

/**
 * The words of services, first match wins. `_` and `-` count as spaces, so that codes are read like sentences.
 * Collected from the documentation of Stripe, Resend, Square, Adyen, PayPal, BlueSnap and Gravity Payments, and from
 * the IETF draft of the `Idempotency-Key` header.
 */
const TABLE: readonly { readonly words: RegExp; readonly means: KeyVerdict }[] = [
  // Stripe and Resend: "in progress"; Adyen: "already processed or in progress"; Resend: "concurrent"; IETF: "outstanding".
  {
    words: /in progress|in flight|concurrent|outstanding|(?:being|still) process|processing|not finished/,
    means: 'in-progress',
  },
  // Stripe: "same parameters"; Resend: "different payload"; Square: "reused"; BlueSnap: "different request".
  {
    words:
      /(?:different|another|other|changed|conflicting) (?:idempotent )?(?:payload|body|parameter|content|data)|(?:different|other) request|(?:for|with|by) another request|same (?:parameters|payload|body)|mismatch|\breused?\b|\bdo(?:es)? not match/,
    means: 'another-payload',
  },
  // Stripe: the code `idempotency_key_in_use`.
  { words: /key (?:is |was )?(?:already |currently )?in use/, means: 'in-progress' },
  // The earlier request has failed, or was never made.
  { words: /\bfail|\bnot\b|n't\b|cannot|unable/, means: 'other' },
  // PayPal: "already been used"; Gravity Payments: "already exists"; others: "duplicate request".
  {
    words:
      /\b(?:idempot\w*|key|request)\b[^.]*\b(?:used|duplicated?|repeated|processed|handled|completed|sent|exists)\b|\bduplicated? (?:request|key|idempot)/,
    means: 'used',
  },
];

/** Bodies that say nothing, without their spaces. */
const SILENT = ['', '{}', '{"success":false}'];
const LONGEST_READ = 2_000;
const OF_REQUEST = /idempot|\b(?:key|request)\b/;
const OF_EARLIER_REQUEST = /idempot|\b(?:key|request)\b[^.]*\b(?:already|previous)/;

/** Reads what a refusal says of the key. The body has to name the key or the request, or, of a 409, say nothing. */
export function keyVerdict(status: number, body: string): KeyVerdict {
  if (![400, 409, 422].includes(status)) return 'other';
  const said = body.slice(0, LONGEST_READ).toLowerCase().replaceAll(/[_-]/g, ' ');
  if (status === 409 && SILENT.includes(body.replaceAll(/\s/g, ''))) return 'used';
  if (!(status === 409 ? OF_REQUEST : OF_EARLIER_REQUEST).test(said)) return 'other';
  return TABLE.find(({ words }) => words.test(said))?.means ?? 'other';
}
