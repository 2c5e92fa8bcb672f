import { CONTACT_VALUE_FIELDS, EVENT_OUTPUT, prepareEvent, WHOSE_FIELDS } from '../event/contact-event.js';
import type { Operation } from '../operation.js';
import { SENDING_OPTIONS } from '../sending.js';

/** Creates a contact, or updates the one that is there, by an event. */
export const upsert: Operation = {
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update contact',
  description: 'Create a new record, or update the current one if it already exists (upsert)',
  fields: [
    ...WHOSE_FIELDS,
    {
      displayName: 'Event Name',
      name: 'eventName',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. contactImported',
      hint: 'Automations that wait for this event begin, and may mail the contact',
      description:
        'Name of the event that brings the contact, as the service has no call that only creates one. Choose a name that no automation waits for.',
    },
    ...CONTACT_VALUE_FIELDS,
  ],
  options: SENDING_OPTIONS,
  output: EVENT_OUTPUT,
  prepare: (item) => prepareEvent(item, {}),
};
