import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inWorld, warningLines, type Scenario } from './world.js';

const GROUP = { id: 'news', name: 'News' };

/** What contacts decide for themselves: several edits in one stack, as weeks go by. */
export const people: readonly Scenario[] = [
  {
    name: 'who left a group is brought back by no edit; AUDIENCE_REJOIN adds them in one run',
    only: 'native',
    run: (engine) => {
      const codes = new Set<string>();
      const noteCodes = (text: string): void => {
        for (const [, code = ''] of text.matchAll(/AUDIENCE_REJOIN=(\S+)/g)) codes.add(code);
      };
      const emails = ['ada', 'bob', 'cleo'].map((name) => `${name}@example.com`);
      const contacts = emails.map((email) => ({ email }));
      return inWorld(engine, { seed: { subscriptionGroups: [GROUP], contacts } }, async (world) => {
        const declare = (name: string): Promise<void> =>
          world.program(`
            new Contact('cleo-${name}', { email: 'cleo@example.com', subscriptionGroups: { news: true } });
            new Contacts('list-${name}', { file: 'a.csv', consent: 'mail' });`);
        const rows = (...lines: string[]): Promise<void> =>
          world.save('a.csv', ['email,subscriptionGroups.news', ...lines]);
        const marks = async (): Promise<unknown[]> =>
          (await world.stack.resources()).map(({ outputs }) =>
            'entries' in outputs
              ? String(outputs['entries']).replaceAll(/\S{12} |(?<=-)\w{6}/g, '')
              : Object.keys({ ...(outputs['marks'] ?? {}) }),
          );
        await declare('first');
        await rows('ada@example.com,true', 'bob@example.com,true');
        await world.up();
        assert.equal(world.writes().length, 3);
        for (const email of emails)
          await world.others.contacts.update(email, { subscriptionGroups: { news: false } });

        // Renamed resources are new to state.
        await declare('second');
        const told = warningLines(await world.up()).join('\n');
        assert.match(told, /2 contacts are not in group 'news' and may have left it: not added/);
        assert.match(told, /'cleo@example.com' is not in 'news' and may have left it: not added/);
        // A row is away for a week, and a cell is empty.
        await rows('ada@example.com,');
        await world.up();
        await rows('ada@example.com,true', 'bob@example.com,true');
        await world.up();
        const urns = (await world.stack.resources()).flatMap(({ urn }) => ['--replace', urn]);
        const { command, args, env } = world.stack.upCommand();
        const replaced = await promisify(execFile)(command, [...args, ...urns], {
          cwd: world.programDir,
          env,
        });
        noteCodes(replaced.stdout);
        // For a while the service finds nobody.
        world.sandbox.faults.next({ route: 'getContact', respond: { status: 404 }, times: 100 });
        await world.stack.refresh();
        world.sandbox.faults.clear();
        const baseUrl = world.sandbox.url.replace('127.0.0.1', 'localhost');
        noteCodes(
          warningLines(await world.up({ config: { ...world.config, 'audience:baseUrl': baseUrl } })).join(),
        );
        assert.deepEqual(
          world.writes().filter((call) => call.includes('"news":true')),
          [],
        );
        assert.deepEqual(new Set(await marks()), new Set(['- -\n- -', ['news']]));

        await world.up({ env: { AUDIENCE_REJOIN: [...codes].join(',') } });
        assert.deepEqual(
          world.writes().sort(),
          emails.map((email) => `PUT /v1/contacts/${email} {"subscriptionGroups":{"news":true}} 200`),
        );
        await world.up();
        assert.deepEqual(world.writes(), []);
      });
    },
  },
];
