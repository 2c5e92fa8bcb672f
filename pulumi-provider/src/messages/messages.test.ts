import { FILE_SENTENCES, fileText } from './files.js';
import type { FileCode, FileProblem } from '../contact-file/problems.js';
import { problem, SENTENCES, textOf, type Counted, type PlanKind, type Problem } from './index.js';

const contact = { email: 'ada@example.com', userId: 'user-1' };
const KINDS = ['changed', 'unchanged', 'exist', 'removed', 'unsubscribed', 'notLookedUp', 'nobody'] as const;
const NAMED = [
  'created',
  'overwritten',
  'emptied',
  'joins',
  'leaves',
  'loses',
  'notJoined',
  'refused',
  'notCreated',
] as const;
const planCounts = new Map<PlanKind, Counted>([
  ['new', new Map([['', 1]])],
  ...KINDS.map((kind) => [kind, new Map([['', 2]])] as const),
  ...NAMED.map((kind) => [kind, new Map([['news', 2]])] as const),
]);
const issue = {
  code: 'wrongType',
  path: ['properties', 'seats'],
  expected: 'number',
  given: 'string',
} as const;

/** One for each sentence that is more than its facts in places. */
const MADE: readonly Problem[] = [
  problem('input.noProperty', { of: 'clear', name: 'plam', near: 'plan' }),
  problem('input.noProperty', { of: 'properties', name: 'x', near: undefined }),
  problem('input.unknown', { name: 'emial', names: ['email', 'userId'] }),
  problem('input.unknown', { name: 'x', names: ['email', 'userId'] }),
  problem('input.noGroup', { id: 'News', near: 'news', groups: [] }),
  problem('input.noGroup', { id: 'x', groups: ["'news' (News)"] }),
  problem('field.wrong', { issue }),
  problem('field.wrong', { issue: { ...issue, path: ['firstName'] } }, 'firstName'),
  problem('event.wrong', { issue }),
  problem('event.wrong', { issue: { ...issue, path: [] } }),
  problem('contact.exists', {
    ...{
      contact,
      sets: ['firstName'],
      joins: ['news'],
      leaves: ['tips'],
      isUnsubscribed: true,
      overwrites: ['firstName'],
    },
  }),
  problem('contact.exists', {
    contact,
    sets: [],
    joins: [],
    leaves: [],
    isUnsubscribed: false,
    overwrites: [],
  }),
  problem('contact.dropped', { contact, names: ['firstName', 'plan'] }),
  problem('contacts.plan', {
    ...{ list: "Contacts 'all'", source: "'people.csv'", notes: ['12 rows read.'] },
    ...{ rows: ['line 2: seats', 'line 3: email'], counts: planCounts },
    ...{ gone: ['line 12', 'line 40'] },
  }),
  problem('contacts.plan', {
    list: 'Contacts',
    source: 'a',
    notes: [],
    rows: [],
    gone: [],
    counts: new Map([
      ['new', new Map([['', 300]])],
      ['notLookedUp', new Map([['', 300]])],
      ['unsubscribed', new Map([['', 1]])],
    ]),
  }),
  problem('contacts.notJoined', { rows: ['line 2', 'line 3'], group: 'news', source: "'people.csv'" }),
  problem('contacts.removals', { counts: planCounts, losing: 12, limit: 10 }),
  problem('contacts.gone', { rows: ['line 12'], source: "'people.csv'" }),
  problem('contacts.rows', { rows: ['line 2', 'line 3'], why: 'the contact does not exist' }),
  problem('service.failed', { cause: 'the service refuses the request (400): "no such value"' }),
  problem('event.tooEarly', { rows: ["line 2 of Contacts 'signups'"], by: "Contacts 'opt-outs'" }),
  problem('event.sentTooEarly', { rows: ["line 2 of Contacts 'signups'"], by: "Contacts 'opt-outs'" }),
  problem('contacts.notCreated', {
    rows: ['line 2'],
    by: "line 3 of Contacts 'opt-outs'",
    source: "'people.csv'",
  }),
];

/** Facts for every sentence about a file. */
const OF_FILE: Omit<FileProblem, 'code'> = {
  ...{ subject: 'Opt-in', given: 'no', expected: '{"consent": "?"}', count: 2, names: ['Email', 'email'] },
  texts: [
    ['no', 290],
    ['', 1],
  ],
  issue: { code: 'wrongType', expected: 'number', given: 'string' },
};

test('every sentence', () => {
  const all = Object.entries(SENTENCES);
  const plain = all.flatMap(([code, text]) => (typeof text === 'string' ? [`${code}: ${text}`] : []));
  const made = MADE.map((one) => `${one.code}: ${textOf(one)}`);
  const codes = Object.keys(FILE_SENTENCES).filter((code): code is FileCode => code in FILE_SENTENCES);
  const ofFiles = codes.map((code) => `${code}: ${fileText({ ...OF_FILE, code })}`);
  expect([...plain, ...made, ...ofFiles].sort().join('\n')).toMatchSnapshot();
  const others = all.flatMap(([code, text]) => (typeof text === 'string' ? [] : [code]));
  expect(MADE.map(({ code }) => code)).toEqual(expect.arrayContaining(others));
});
