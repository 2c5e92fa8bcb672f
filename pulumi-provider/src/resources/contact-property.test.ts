import { fakeService } from '../../testing/fake-service.js';
import { checkContactProperty } from './contact-property.js';
import { UNKNOWN } from './host.js';
import type { Raw } from './host.js';

const check = async (news: Raw, olds: Raw = {}): Promise<string[]> => {
  const problems = await checkContactProperty(olds, news, fakeService().properties);
  return problems.map(({ property, reason }) => `${property}: ${reason}`);
};

describe('the check of a contact property', () => {
  test.each([
    [{ name: 'First Name', type: 'string' }, /^name: 'First Name' is not camelCase/],
    [{ name: '', type: 'string' }, /^name: '' is not camelCase/],
    [{ type: 'string' }, /^name: must be text/],
    [{ name: 'userId', type: 'string' }, /^name: 'userId' is reserved/],
    [{ name: 'createdAt', type: 'date' }, /^name: 'createdAt' is built in/],
    [{ name: 'plan', type: 'text' }, /^type: must be one of string, number, boolean, date/],
    [{ name: 'plan' }, /^type: must be one of/],
    [{ name: 'plan', type: 'string', adopt: 'yes' }, /^adopt: must be true or false/],
    [
      { name: 'seats', type: 'string', adopt: true },
      /^: contact property 'seats' exists in the service as a number/,
    ],
    [{ name: 'seats', type: 'number' }, /^: contact property 'seats' exists .* already.* Set adopt: true/],
  ])('refuses %j', async (news, says) => {
    const problems = await check(news);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(says);
  });

  it('refuses another type of the same property, whatever the service lists', async () => {
    const [problem] = await check({ name: 'seats', type: 'date' }, { name: 'seats', type: 'number' });
    expect(problem).toMatch(/^type: contact property 'seats' is a number and cannot become a date/);
  });

  test.each<[Raw, Raw]>([
    [{ name: 'plan', type: 'string' }, {}],
    [{ name: 'seats', type: 'number', adopt: true }, {}],
    [
      { name: 'seats', type: 'number' },
      { name: 'seats', type: 'number' },
    ],
    [{ name: UNKNOWN, type: UNKNOWN, adopt: UNKNOWN }, {}],
    [
      { name: UNKNOWN, type: 'string' },
      { name: 'plan', type: 'number' },
    ],
  ])('takes %j', async (news, olds) => {
    await expect(check(news, olds)).resolves.toEqual([]);
  });
});
