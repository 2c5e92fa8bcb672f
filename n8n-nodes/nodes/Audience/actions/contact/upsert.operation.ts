import type { Operation } from '../../run/operation.js';
import { field } from '../fields.js';
import { CONTACT_VALUE_FIELDS, EVENT_OUTPUT, prepareEvent, WHOSE_FIELDS } from '../event/contact-event.js';

/** Creates a contact, or updates the one that is there, by an event. */
export const upsert: Operation = {
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update contact',
  description: 'Create a new contact, or update the current one if it already exists (upsert)',
  kind: 'sends',
  fields: [
    ...WHOSE_FIELDS,
    field('string', 'Event Name', 'eventName', {
      required: true,
      placeholder: 'e.g. contactImported',
      hint: 'Choose a name that no automation uses: automations that wait for it start, and may email the contact',
      description: 'Name of the event that creates the contact',
    }),
    ...CONTACT_VALUE_FIELDS,
  ],
  output: EVENT_OUTPUT,
  prepare: (item) => prepareEvent(item, {}),
};
