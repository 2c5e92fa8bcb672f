import { ContactProperty } from 'pulumi-audience';

const planName = new ContactProperty('planName', { name: 'planName', type: 'string' });
const seats = new ContactProperty('seats', { name: 'seats', type: 'number' });

// Who depends on this stack reads these columns of a file of contacts.
export const columns = { email: 'email', firstName: 'firstName', planName: planName.name, seats: seats.name };
