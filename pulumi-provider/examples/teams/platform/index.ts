import { ContactSchema } from 'pulumi-audience';

const crm = new ContactSchema('crm', { properties: { planName: 'string', seats: 'number' } });

// Who depends on this stack reads these columns of a file of contacts.
const names = ['email', 'firstName', ...Object.keys(crm.properties)];
export const columns = Object.fromEntries(names.map((name) => [name, name]));
