/** What the expressions are evaluated for. */
export const ITEM = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Byron',
  middleName: '',
  phone: '',
  city: null,
  vip: false,
  count: 3,
  zero: 0,
  tags: ['a', 'b'],
  orders: [
    { no: 'A-1', total: 12.5 },
    { no: 'A-2', total: 7 },
  ],
  address: { street: 'Main St 1', annex: '', zip: '8000' },
  html: '<b>{bold}</b>',
  city2: 'Zürich',
  nullText: 'null',
  error: "Cannot read properties of undefined (reading 'id')",
  log: 'TypeError: null is not an object; got NaN, [object Object], Invalid Date',
  settings: { theme: null, size: 3 },
  helpText: 'Write {{ $json.name }} to insert the name',
  note: 'undefined behaviour, null and void',
  liquid: 'Hello {{ name }}, {% if vip %}vip{% endif %}',
};

/** What builders write into a variable of an email, and what goes out. */
export const SENT: readonly (readonly [expression: string, sent: unknown])[] = [
  ['{{ $json.count }}', 3],
  ['{{ $json.zero }}', 0],
  ['Hello {{ $json.firstName }}', 'Hello Ada'],
  ['Hello {{ $json.firstName }} {{ $json.lastName }}!', 'Hello Ada Byron!'],
  // An empty text may be meant.
  ["{{ $json.a ?? '' }}", ''],
  ['{{ $json.middleName }}', ''],
  ['Phone: {{ $json.phone }}', 'Phone: '],
  ["{{ $json.orders.map(o => `${o.no}: ${o.total}`).join(', ') }}", 'A-1: 12.5, A-2: 7'],
  ['Tags: {{ $json.tags }}', 'Tags: a,b'],
  ["{{ $json.name || 'friend' }}", 'friend'],
  // Dates.
  ['{{ $now }}', /^20\d\d-/],
  ['Sent at {{ $now }}', /^Sent at .*20\d\d-/],
  ["{{ $('Trigger').item.json.firstName }}", 'Ada'],
  ['{{ $input.item.json.firstName }}', 'Ada'],
  ['Note: {{ $json.note }}', 'Note: undefined behaviour, null and void'],
  ['{{ $json.html }}', '<b>{bold}</b>'],
  ['{ "a": {{ $json.count }} }', '{ "a": 3 }'],
  ['plain text', 'plain text'],
  // Texts that speak of what is missing: errors of other nodes, programs and templates.
  ['{{ $json.error }}', "Cannot read properties of undefined (reading 'id')"],
  ['Alert: {{ $json.error }}', "Alert: Cannot read properties of undefined (reading 'id')"],
  ['{{ $json.log }}', 'TypeError: null is not an object; got NaN, [object Object], Invalid Date'],
  ['{{ $json.nullText }}', 'null'],
  ['Settings: {{ JSON.stringify($json.settings) }}', 'Settings: {"theme":null,"size":3}'],
  // What looks like an expression and comes from the input is a text.
  ['{{ $json.helpText }}', 'Write {{ $json.name }} to insert the name'],
  ['Help: {{ $json.helpText }}', 'Help: Write {{ $json.name }} to insert the name'],
  ['{{ $json.liquid }}', 'Hello {{ name }}, {% if vip %}vip{% endif %}'],
  // Booleans as texts.
  ['Paid: {{ String($json.vip) }}', 'Paid: false'],
  // What JavaScript joins by itself is not looked into.
  ["{{ 'Hello ' + $json.nmae }}", 'Hello undefined'],
];

/** What must stop, with the code of the problem. */
export const STOPPED: readonly (readonly [expression: string, code: string])[] = [
  ['{{ $json.nmae }}', 'no-value'],
  ['Hello {{ $json.nmae }}', 'no-value'],
  ['{{ $json.vip && "VIP" }} customer', 'boolean-in-text'],
  ['Paid: {{ $json.vip }}', 'boolean-in-text'],
  ['Order: {{ $json.orders[0] }}', 'object-in-text'],
  ['{{ $json.firstName.toUpperCase }}', 'expression-fails'],
  ['Price: {{ 1 / $json.zero }}', 'not-a-number'],
  ['{{ new Date($json.firstName) }}', 'invalid-date'],
  ["On {{ DateTime.fromISO('x') }}", 'invalid-date'],
  ['{{ 2 ** 60 }}', 'rounded-number'],
  ["{{ DateTime.fromISO($json.firstName).toFormat('d') }}", 'invalid-date'],
  ['{{ $now.diff($now) }}', 'misfit'],
  ['{{ $json.firstName.foo() }}', 'no-value'],
  ['{{ $json.a b }}', 'expression-fails'],
];

/** What must stop in a User ID, where it would make one person of many. */
export const NO_IDENTIFIERS: readonly (readonly [expression: string, code: string])[] = [
  ['user-{{ $json.userId }}', 'no-value'],
  ["user-{{ $json.userId ?? '' }}", 'empty-part'],
  ['{{ $json.vip }}', 'boolean-in-text'],
  ['{{ $json.tags }}', 'misfit'],
];
