import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { emailParameters, setUpForFile, writes } from './support.js';

const setup = setUpForFile();

/** The person whose fields the expressions take, with nothing missing. */
const FULL: IDataObject = {
  email: 'ada@example.com',
  first: 'Ada',
  last: 'Lovelace',
  no: '#1001',
  num: 42,
  shop: 'acme',
  price: 9.5,
  due: '2027-01-31',
  tags: ['a', 'b'],
  items: [{ sku: 'x' }, { sku: 'y' }],
  text: 'Der Termin wurde annulliert.',
  pool: 'Infinity Ltd',
  tier: 'std',
  empty: '',
};

type Place = 'text' | 'identifier' | 'key';

function parametersWith(place: Place, expression: string): INodeParameters {
  if (place === 'text') return emailParameters({}, { firstName: expression, planName: 'x' });
  if (place === 'key')
    return emailParameters({ idempotencyKey: expression }, { firstName: 'x', planName: 'x' });
  return {
    ...{ resource: 'event', operation: 'send', eventName: 'signedUp' },
    ...{ contact: 'userId', userId: expression, email: '', identifyBy: 'userId' },
  };
}

async function failureOf(place: Place, expression: string, item: IDataObject): Promise<string | undefined> {
  const { error } = await setup.run(parametersWith(place, expression), [item]);
  expect(writes(setup.sandbox)).toHaveLength(error === undefined ? 1 : 0);
  return error?.message;
}

const EVERYWHERE: Place[] = ['text', 'identifier', 'key'];
const IDENTITY: Place[] = ['identifier', 'key'];

describe('with every value there it goes out', () => {
  const TAKEN: [string, Place[]?][] = [
    ["={{ $json.email.replace(' ', '') }}"],
    ['={{ $json.email.replaceAll(" ", "").toLowerCase() }}'],
    ["={{ $json.first + ' ' + $json.last }}", ['text', 'key']],
    ["={{ $json.first.concat('.', $json.last) }}"],
    ["=order-{{ $json.no.replace('#', '') }}"],
    ['=order-{{ $json.no.replace(/\\D/g, "") }}'],
    ["={{ '' + $json.num }}"],
    ['={{ $json.num + "" }}'],
    ["={{ $json.items.reduce((all, one) => all + one.sku, '') }}"],
    ["={{ $json.no }}{{ '_' }}{{ $json.num }}"],
    // Of what is not used a value may be missing.
    ["={{ $ifEmpty($json.first, 'Kunde ' + $json.none) }}", ['text']],
    [
      "={{ (() => { const full = $json.none + ' ' + $json.last; return $json.first || full; })() }}",
      ['text'],
    ],
    ["={{ ($json.empty + ' ' + $json.empty).trim() || 'friend' }}", ['text']],
    [
      "={{ (() => { const name = $json.none + ' ' + $json.none; if ($json.none) { return name } return 'Hello'; })() }}",
      ['text'],
    ],
    ["={{ $ifEmpty($json.empty + $json.empty, 'friend') }}", ['text']],
    ["={{ 'Hi' + ({ vip: ' VIP', std: '' })[$json.tier] }}", ['text']],
    ["={{ 'Item' + 's'.repeat($json.num > 50 ? 1 : 0) }}", ['text']],
    ["={{ `Dear customer${$json.tier.replace('std', '')}` }}", ['text']],
    ["={{ $json.first + ' ' + ($json.none || '') }}", ['text']],
    ['={{ $json.first.replace(/\\b\\w/g, function(l) { return l.toUpperCase(); }) }}'],
    ['={{ $json.first.replace(/./g, encodeURIComponent) }}'],
    ["={{ $now.format('dd.MM.yyyy', { locale: 'de' }) + ':' + $json.num }}"],
    ['={{ $json.first[0].toUpperCase() + $json.last.slice(1) + `` }}'],
    ["=order-{{ $json.num }}{{ $json.test ? '-test' : '' }}"],
    ["={{ $json.num + ($json.items.length > 5 ? '-many' : '') }}"],
    ['={{ `${$json.num}${$json.sub ? `-${$json.sub}` : ``}` }}'],
    ["={{ $json.tags.shift() + '-' + $json.num }}"],
    ["={{ String($json.nick) === 'undefined' ? $json.first : $json.nick }}"],
    ["={{ ['a', 'b'].map((tag) => tag + $json.num).join('-') }}"],
    ["={{ (() => { let text = ''; text += $json.first; return text; })() }}"],
    ["={{ $json.items.filter((one) => (one.none + '') !== 'x').map((one) => one.sku).join('-') }}"],
    ["={{ $json.due.toDateTime().toFormat('yyyy') }}-{{ $json.price.toFixed(2) }}"],
    ['={{ JSON.stringify([$json.no, $json.num]).hash() }}'],
    ["={{ $json.sub?.toFixed(2) ?? 'none' }}-{{ $json.num }}"],
    ["={{ /* who */ $json.first + // and\n '-' + $json.last }}"],
    ['={{ ($json.first) + ($json.last) }}'],
    ["={{ $json.items.map((one) => { return one.sku; }).join('-') }}"],
    ['={{ $json.shop + $json.last.replace(/e/g, (letter) => { return letter.toUpperCase(); }) }}'],
    ["={{ $json.shop }}/{{ $json.num }}{{ $json.none?.toFixed(2).replace('.', ',') ?? '-none' }}"],
    ["={{ $json.num + '-' + ($json.none?.trim().hash() ?? 'none') }}"],
    ['={{ JSON.stringify({ no: $json.no, items: $json.items }).hash() }}'],
    ['={{ JSON.stringify({ no: $json.no, paid: $json.paid ?? null }).hash() }}'],
    ["={{ [$json.num, $json.shop].map(String).join('-') }}"],
    ["={{ [$json.shop, $json.none].map((one) => one ?? 'none').join('-') }}"],
    ["={{ ({ paid: 'Paid ' + $json.paidAt, open: 'Due ' + $json.due })['open'] }}", ['text', 'key']],
    ["={{ ({ acme42: 'Hi' })[$json.shop + $json.none] ?? 'Hello' }}"],
    ["={{ `${$json.first} ${$json.none}`.replace('undefined', '').trim() }}", ['text']],
    ["={{ $json.items.reduce((all, one) => all + (all ? ',' : '') + one.sku, '') }}"],
    ["={{ $json.none || '_guest' }}"],
    ["={{ (() => { return'x-'+$json.num })() }}"],
    ['={{ ({ a: { b: $json.num\\}}).a.b }}-{{ $json.shop }}'],
    ["={{ 'At ' + $json.pool.toString() }}", ['text']],
    ["={{ $json.num + ($json.none ?? '').trim() }}", ['text', 'identifier']],
    ["={{ [$json.text, $json.none].join(' ') }}", ['text']],
    ["={{ $json.text.replace('[NAME]', $json.none) }}", ['text']],
    ["={{ $json.text + ' ' + ($json.price + null) }}", ['text']],
    ["=Hi {{ $json.none ?? '' }},", ['text']],
    ["={{ [...['a', 'b'], $json.none].join(', ') }}", ['text']],
    ["={{ [$json.first, $json.none].join(' ') }}", ['text']],
    ["={{ 'Hi ' + [$json.none ?? '', $json.nope ?? ''].join(' ') }}", ['text']],
    ["=Hi {{ $json.first }}: https://example.com/{{ $json.none ?? '' }}", ['text']],
    ['=Hi {{ $json.first }}: {{ $json.num }}/{{ $json.none }} of us', ['text']],
    ["=Hi {{ $json.first }}{{ $json.items.map((one) => one.nme ?? '').join('') }}", ['text']],
    ["={{ 'Hi ' + $json.items.filter((one) => one.nme).map((one) => one.nme).join(', ') }}", ['text']],
    ["={{ ['Hi', $json.none].join(' ') }}", ['text']],
    ["=Hi{{ $json.none && ' ' + $json.none }},", ['text']],
    ["={{ [$json.none, $json.first].filter(Boolean).join('-') }}", ['text', 'identifier']],
    ["={{ Number($json.num) }}-{{ String($json.num).padStart(6, '0') }}"],
    ["=u{{ $json.none ? 'test-' : '' }}ada", ['identifier']],
    ['=<style>@media print { p { top: {{ $json.num }}px }}</style>', ['text']],
    ['={ "a": { "b": {{ $json.num }} }}', ['text']],
    ["=Hi {{ $json.none ? $json.none : '' }},", ['text']],
    ['=Hi {{ $json.first }} {{ $json.none }},', ['text']],
    ["=user-{{ $json.num }}{{ $json.none ?? '' }}", ['text', 'identifier']],
  ];
  test.each(
    TAKEN.flatMap(([expression, places = EVERYWHERE]) => places.map((place) => [place, expression] as const)),
  )('as %s: %s', async (place, expression) => {
    expect(await failureOf(place, expression, FULL)).toBeUndefined();
  });
});

describe('a value that is missing stops the item and is named', () => {
  const REFUSED: [string, IDataObject, string, Place[]?][] = [
    ["={{ $json.first + ' ' + $json.last }}", { last: undefined }, '$json.last'],
    ["={{ ($json.first + ' ' + $json.last).toTitleCase() }}", { last: undefined }, '$json.last'],
    ['={{ ($json.first + $json.num).toUpperCase() }}', { num: NaN }, '$json.num'],
    ["={{ ('00000' + $json.num).slice(-5) }}", { num: undefined }, '$json.num'],
    ['=x{{ encodeURIComponent($json.items[0]) }}', {}, '$json.items[0]'],
    ["={{ ('t-' + $json.num).hash() }}", { num: null }, '$json.num'],
    [
      '=CHF {{ Number($json.items?.[0]?.price).toFixed(2) }}',
      {},
      'Number($json.items?.[0]?.price).toFixed(2)',
      ['text'],
    ],
    [
      '=CHF {{ Number($json.items?.[0]?.price).toFixed(2) }}',
      {},
      '$json.items?.[0]?.price and Number($json.items?.[0]?.price).toFixed(2)',
      IDENTITY,
    ],
    [
      "=Due {{ DateTime.fromISO($json.body?.due).toFormat('dd.MM.yyyy') }}",
      {},
      "DateTime.fromISO($json.body?.due).toFormat('dd.MM.yyyy')",
    ],
    ['=Due {{ new Date($json.none).toDateString() }}', {}, 'new Date($json.none).toDateString()'],
    [
      "=a {{ Intl.NumberFormat('de-CH', { style: 'currency', currency: 'CHF' }).format($json.first) }}",
      {},
      "Intl.NumberFormat('de-CH', { style: 'currency', currency: 'CHF' }).format($json.first)",
    ],
    ["={{ (() => { let text = 'Hi '; text += $json.none; return text; })() }}", {}, '$json.none'],
    ["={{ $json.items.reduce((all, one) => all += one.name, 'Items: ') }}", {}, 'one.name'],
    [
      "={{ 'Dear {last}'.replace(/\\{(\\w+)\\}/g, (_, name) => $json[name]) }}",
      { last: undefined },
      '$json[name]',
    ],
    [
      "={{ (() => { try { return $json.shop + '-' + $json.none } catch (error) { return $json.shop } })() }}",
      {},
      '$json.none',
    ],
    ["={{ 'Today ' + $now.toISODate }}", {}, '$now.toISODate'],
    ['=n {{ $input.first }}', {}, '$input.first'],
    ["={{ 10 / $json.none + ' %' }}", { none: 0 }, '10 / $json.none'],
    [
      "={{ $json.shop }}-{{ $json.none }}-{{ $json.tags.map((tag) => { return tag; }).join('-') }}",
      {},
      '$json.none',
      IDENTITY,
    ],
    ["={{ $json.items.map((one) => { return one.id; }).join('-') }}", {}, 'one.id', IDENTITY],
    [
      "={{ 'Hi [none]'.replace(/\\[(\\w+)\\]/g, function (_, name) { return $json[name]; }) }}",
      {},
      '$json[name]',
    ],
    ["={{ [$json.none * $json.price, 'CHF'].join(' ') }}", {}, '$json.none * $json.price'],
    ["={{ $json.items.map((one) => new Date(one.at)).join(', ') }}", {}, 'new Date(one.at)'],
    ["={{ (() => { const { shop, no } = $json; return shop + '-' + no; })() }}", { no: '' }, 'no', IDENTITY],
    ["={{ (() => { let text = $json.none; text += '-'; return text; })() }}", {}, 'text'],
    [
      '=Rate {{ ($json.price / $json.none).toFixed(1) }}',
      { none: 0 },
      '($json.price / $json.none).toFixed(1)',
    ],
    ["={{ $json.items.map((one) => one.id).sort().join('-') }}", {}, 'one.id', IDENTITY],
    ["={{ $json.email.split('@').pop() + '-' + $json.none }}", {}, '$json.none'],
    ["={{ $json.items.flatMap((one) => [one.sku, one.id]).join('-') }}", {}, 'one.id', IDENTITY],
    ['=Hi {{ $json.none }},', {}, '$json.none'],
    ['=Hi {{ $json.first }},', { first: '' }, '$json.first'],
    ['=a {{ $json.price * $json.none }} b', {}, '$json.price * $json.none'],
    [
      "={{ $json.shop }}-{{ $json.no.replace('#', '') }}",
      { no: undefined },
      "$json.no.replace('#', '')",
      IDENTITY,
    ],
    ["=user{{ $json.no.replace('#', '') }}", { no: '#' }, "$json.no.replace('#', '')", IDENTITY],
    [
      '={{ $json.shop }}:{{ $json.none.replace(/\\D/g, "") }}',
      {},
      '$json.none.replace(/\\D/g, "")',
      IDENTITY,
    ],
    ["={{ $json.shop + '-' + $json.items.map((one) => one.id).join('') }}", {}, 'one.id', IDENTITY],
    ["={{ $json.items.map((one) => one.id).join('-') }}", {}, 'one.id', IDENTITY],
    ["={{ [$json.num, $json.none].map(String).join('-') }}", {}, '$json.none', IDENTITY],
    ['={{ JSON.stringify({ shop: $json.shop, no: $json.none }).hash() }}', {}, '$json.none', IDENTITY],
    ['={{ $json.none.hash() }}', { none: '' }, '$json.none', IDENTITY],
    ['=\\\\host\\\\{{ $json.none }}', {}, '$json.none', IDENTITY],
    ["=order-{{ $json.none ?? '' }}", {}, "$json.none ?? ''", ['key']],
    ["={{ 'user-' + ($json.none || '') }}", {}, "$json.none || ''", ['identifier']],
    ["=u{{ $json.none ?? '' }}{{ $json.nope ?? '' }}", {}, "$json.none ?? ''", ['identifier']],
    ["={{ ($json.none ?? '') + '@example.com' }}", {}, "$json.none ?? ''", ['identifier']],
    [
      "={{ 'Hi ' + [$json.none, $json.nope].join(', ') }}",
      {},
      '$json.none and $json.nope',
      ['identifier', 'key'],
    ],
    ["={{ 'Hi ' + [$json.none, $json.nope].join(', ') }}", {}, '[$json.none, $json.nope]', ['text']],
    [
      "=Items: {{ $json.items.map((one) => one.nme).join(', ') }}",
      {},
      '$json.items.map((one) => one.nme)',
      ['text'],
    ],
    [
      "={{ $json.items.map((one) => one.nme).join(', ') }}",
      {},
      '$json.items.map((one) => one.nme)',
      ['text'],
    ],
    ['=Hi {{ $json.first }}: mailto:{{ $json.none }}?subject=Hi', {}, '$json.none'],
    ['={{ $json.none }}/pay/{{ $json.num }}', {}, '$json.none'],
    ['=Hi {{ $json.first }}: https://example.com/?by=mail&user={{ $json.none }}', {}, '$json.none'],
    ['=Hi {{ $json.first }}: https://{{ $json.shop }}.example/{{ $json.none }}/', {}, '$json.none'],
    ['=Hi {{ $json.first }}: {{ $json.pool }}?user={{ $json.none }} ', {}, '$json.none'],
    ['=u{{ Number($json.none) }}', { none: '' }, '$json.none', IDENTITY],
    ["={{ $json.none.toString().padStart(6, '0') }}", { none: '' }, '$json.none.toString()', IDENTITY],
    ["={{ ['u', $json.none].filter(Boolean).join('-') }}", {}, '$json.none', IDENTITY],
    ["={{ 'order-' + $json.items }}", { items: { a: 1 } }, '$json.items', EVERYWHERE],
    ["={{ 'Hi ' + $json.none + ',' }}", { none: '' }, '$json.none'],
    ['={{ `https://shop.example/pay?order=${$json.none}` }}', { none: ' ' }, '$json.none'],
    [
      "={{ (() => { const who = $json.first + ' ' + $json.none; return 'Hi ' + who; })() }}",
      {},
      '$json.none',
    ],
    ["={{ $ifEmpty($json.nick, 'Kunde ' + $json.none) }}", {}, '$json.none'],
    ["={{ 'Hi ' + $json['First Name'] }}", { 'First Name': '' }, "$json['First Name']"],
    ["={{ (() => { const id = 'order-' + $json.none; return id.hash('sha256'); })() }}", {}, '$json.none'],
    ["={{ (() => { const id = 'shop' + $json.none; return id; })() }}", { none: '' }, '$json.none', IDENTITY],
  ];
  test.each(
    REFUSED.flatMap(([expression, gap, named, places = EVERYWHERE]) =>
      places.map((place) => [place, expression, gap, named] as const),
    ),
  )('as %s: %s with %j', async (place, expression, gap, named) => {
    expect(await failureOf(place, expression, { ...FULL, ...gap })).toContain(`in which ${named} `);
  });
});

/** Properties of an event that are given as JSON, or what was said of them. */
async function propertiesOf(eventPropertiesJson: string): Promise<unknown> {
  const json = { specifyProperties: 'json', eventPropertiesJson };
  const event = { resource: 'event', operation: 'send', eventName: 'ordered', email: 'ada@example.com' };
  const { error } = await setup.run({ ...event, ...json }, [FULL]);
  return error?.message ?? setup.sandbox.events()[0]?.eventProperties;
}

test.each([
  ["={{ { greeting: 'Hi ' + $json.none } }}", '$json.none'],
  ['={{ { link: `https://x.example/${$json.none}` } }}', '$json.none'],
  ["={{ JSON.stringify({ order: 'order-' + $json.none }) }}", '$json.none'],
  ['={ "greeting": "{{ \'Hi \' + $json.none }}" }', '$json.none'],
  ['={ "link": "https://x.example/{{ $json.none }}", "shop": "acme" }', '$json.none'],
  ['={ "total": {{ 1 + 1 }}, "greeting": "Hi {{ $json["none"] }}" }', '$json["none"]'],
  ['={ "says": "\\"for {{ $json.none }}\\"", "shop": "acme" }', '$json.none'],
  [
    "={{ { due: 'Due ' + DateTime.fromISO($json.none).toFormat('d.M.') } }}",
    "DateTime.fromISO($json.none).toFormat('d.M.')",
  ],
])('event properties as JSON are looked through as well: %s', async (expression, named) => {
  expect(await propertiesOf(expression)).toContain(`in which ${named} has no value`);
});

test.each([
  ['={ "nick": "{{ $json.none }}" }', {}],
  ['={ "nick": "{{ $json.none }}", "shop": "{{ $json.shop }}" }', { shop: 'acme' }],
  ['={ "nick": "Hi {{ $json.none ?? \'\' }}", "{{ $json.shop }}": "a:\\"b" }', { nick: 'Hi ', acme: 'a:"b' }],
  ['={{ { nick: $json.none, shop: $json.shop } }}', { shop: 'acme' }],
  [
    "={{ JSON.stringify({ text: 'undefined behaviour', nick: $json.none }) }}",
    { text: 'undefined behaviour' },
  ],
])('an event property without a value is left out: %s', async (expression, sent) => {
  expect(await propertiesOf(expression)).toEqual(sent);
});

test('a JSON of many values is looked through at once', async () => {
  const many = Array.from({ length: 60 }, () => '{{ $json.first }}').join(' ');
  const says = Array.from({ length: 60 }, () => 'Ada').join(' ');
  expect(await propertiesOf(`={ "says": "${many}", "as": "${many}" }`)).toEqual({ says, as: says });
});

test('variables that an expression gives together are looked through as well', async () => {
  const dataVariables = {
    mappingMode: 'defineBelow',
    value: "={{ { firstName: 'Hi ' + $json.none, planName: 'x' } }}",
  };
  const { error } = await setup.run({ ...emailParameters(), dataVariables }, [FULL]);
  expect(error?.message).toContain('in which $json.none has no value');
  expect(writes(setup.sandbox)).toEqual([]);
});

test.each<Place>(EVERYWHERE)(
  'as %s: braces that are left over behind an expression stop the item',
  async (place) => {
    for (const expression of [
      '=Hi {{ $json.first }}}}',
      '={{ {{ $json.first }} }}',
      '={{ $json.first }} }}',
    ]) {
      expect(await failureOf(place, expression, FULL)).toMatch(/'}}' left over behind|fails: /);
    }
    expect(await failureOf(place, '=Hi {{ $json.first }} }}', FULL)).toContain("'}}' left over behind");
  },
);

test('an object whose braces end the expression is told so', async () => {
  const properties = { specifyProperties: 'json', eventPropertiesJson: '={{ {sum: {of: 1}} }}' };
  const { error } = await setup.run(
    { resource: 'event', operation: 'send', eventName: 'ordered', email: 'ada@example.com', ...properties },
    [FULL],
  );
  expect(error?.description).toContain("n8n ends an expression at the first '}}': put a blank between");
});

test('a text of six hundred pieces goes out as it is', async () => {
  const pieces = Array.from({ length: 600 }, () => "'p' + $json.first").join(' + ');
  expect(await failureOf('text', `={{ ${pieces} }}`, FULL)).toBeUndefined();
});

test('a text of a hundred pieces is looked through at once', async () => {
  const pieces = Array.from({ length: 100 }, (_, index) => `'<p>${index} ' + $json.first`).join(' + ');
  expect(await failureOf('text', `={{ ${pieces} + $json.none }}`, FULL)).toContain('in which $json.none has');
});
