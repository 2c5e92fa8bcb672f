import { answer, startScriptedServer } from '../../testing/scripted-server.js';
import type { ScriptedServer } from '../../testing/scripted-server.js';
import { AudienceClient, defineEmailSchema } from '../index.js';

const emailSchema = defineEmailSchema({ welcome: ['firstName', 'link'], plain: [] });

let server: ScriptedServer;
let audience: AudienceClient<Record<string, never>, typeof emailSchema>;
beforeAll(async () => {
  server = await startScriptedServer();
  audience = new AudienceClient({ baseUrl: server.url, apiKey: 'key', emailSchema });
});
beforeEach(() => {
  server.received.length = 0;
  server.script(answer(200, { success: true }));
});
afterAll(async () => {
  audience.close();
  await server.close();
});

test('an email with the variables of its design is sent', async () => {
  await audience.transactional.send({
    email: 'ada@example.com',
    transactionalId: 'welcome',
    dataVariables: { firstName: 'Ada' },
  });
  await audience.transactional.send({ email: 'ada@example.com', transactionalId: 'plain' });
  expect(server.received).toHaveLength(2);
});

test('a misspelt variable is red in the editor and is not sent', async () => {
  const call = audience.transactional.send({
    email: 'ada@example.com',
    transactionalId: 'welcome',
    // @ts-expect-error: the compiler sees it too
    dataVariables: { fristName: 'Ada' },
  });
  await expect(call).rejects.toThrow(
    "Could not send email 'welcome' to ada@example.com: 'dataVariables.fristName' is not a variable of this design (did you mean 'firstName'?).",
  );
  expect(server.received).toHaveLength(0);
});

test('a design that the schema does not have is not sent', async () => {
  const call = audience.transactional.send({
    email: 'ada@example.com',
    // @ts-expect-error: the compiler sees it too
    transactionalId: 'wellcome',
  });
  await expect(call).rejects.toThrow(
    "'transactionalId' is not in the email schema (did you mean 'welcome'?)",
  );
  expect(server.received).toHaveLength(0);
});

test('a wrong schema is refused', () => {
  // @ts-expect-error: JavaScript hands over anything
  expect(() => defineEmailSchema({ a: 'b' })).toThrow(
    "The email schema cannot be used: 'a' must be a list of variable names.",
  );
});
