import { DEFAULT_SEED, startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call } from './call.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  sandbox.load(DEFAULT_SEED);
  for (const name of ['ada', 'bob', 'cleo']) await send(`${name}@example.com`, { firstName: name });
});
afterAll(() => sandbox.close());

const control = (method: string, path: string) => call(sandbox, method, `/__sandbox${path}`);
const send = (email: string, dataVariables: object, transactionalId = 'design-welcome') =>
  call(sandbox, 'POST', '/v1/transactional', { body: { email, transactionalId, dataVariables } });
const recipients = async () => (await sandbox.emails()).map(({ to }) => to.replace(/@.*/, ''));

test('mails are deleted by id, by a search, or all', async () => {
  await control('DELETE', '/emails/email-1');
  expect(await recipients()).toEqual(['bob', 'cleo']);
  await control('DELETE', '/emails?search=to:bob');
  expect(await recipients()).toEqual(['cleo']);
  await control('DELETE', '/emails');
  expect(await recipients()).toEqual([]);
});

test('an empty search or an unknown field deletes nothing', async () => {
  for (const query of ['search=', 'id=email-1']) {
    const { status } = await control('DELETE', `/emails?${query}`);
    expect({ query, status }).toEqual({ query, status: 400 });
  }
  expect(await recipients()).toHaveLength(3);
});

test('a list names unknown operators', async () => {
  const { body } = await control('GET', '/emails?search=from:ada');
  expect(body).toMatchObject({ total: 0, unknownOperators: ['from:'] });
  expect((await control('GET', '/emails?search=to:ada')).body).toMatchObject({
    total: 1,
    unknownOperators: [],
  });
});

test('a list shows the beginning of each text, without the subject', async () => {
  sandbox.load({
    designs: [
      {
        id: 'a',
        name: 'A',
        subject: 'Hello {{n}}',
        body: '<style>p{}</style><h1>Hello {{n}}</h1>\n<p>Tom &amp; <b>Jerry</b><br>&#8364;&nbsp;5</p><!-- no -->',
      },
      { id: 'b', name: 'B', body: `<p>${'word '.repeat(100)}</p>` },
    ],
  });
  await send('a@example.com', { n: '<Ada>' }, 'a');
  await send('b@example.com', {}, 'b');
  const { body } = await control('GET', '/emails');
  expect(body).toMatchObject({
    items: [
      { to: 'b@example.com', snippet: expect.stringMatching(/^(word ){10,40}word…$/) as unknown },
      { to: 'a@example.com', snippet: 'Tom & Jerry € 5' },
    ],
  });
});
