import type { Operation } from '../../run/operation.js';
import { CONTACT_VALUE_FIELDS, EVENT_OUTPUT, prepareEvent, WHOSE_FIELDS } from './contact-event.js';
import { field } from '../fields.js';
import { EVENT_PROPERTY_FIELDS, readEventProperties } from './properties.js';

/** Sends an event. */
export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send event',
  description: 'Send an event that triggers automations, and create the contact if there is none',
  kind: 'sends',
  fields: [
    field('string', 'Event Name', 'eventName', {
      required: true,
      placeholder: 'e.g. orderPlaced',
      hint: 'Case-sensitive. A name that no automation uses triggers nothing.',
      description: 'Name of the event that an automation in the service waits for',
    }),
    ...WHOSE_FIELDS,
    ...EVENT_PROPERTY_FIELDS,
    ...CONTACT_VALUE_FIELDS,
  ],
  output: EVENT_OUTPUT,
  prepare: (item) => prepareEvent(item, readEventProperties(item)),
};
