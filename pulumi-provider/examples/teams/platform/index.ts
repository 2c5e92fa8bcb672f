import { ContactSchema } from 'pulumi-audience';

const crm = new ContactSchema('crm', { properties: { planName: 'string', seats: 'number' } });

// Who depends on this stack sees which properties there are, by name and type.
export const propertyTypes = Object.fromEntries(
  Object.entries(crm.properties).map(([name, property]) => [name, property.type]),
);
