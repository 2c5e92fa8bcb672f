import type { Operation } from '../operation.js';
import { SENDING_OPTIONS } from '../sending.js';
import { CONTACT_VALUE_FIELDS, EVENT_OUTPUT, prepareEvent, WHOSE_FIELDS } from './contact-event.js';
import { EVENT_PROPERTY_FIELDS, readEventProperties } from './properties.js';

/** Sends an event. */
export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send event',
  description: 'Send an event that triggers automations, once however often it is retried',
  fields: [
    {
      displayName: 'Event Name',
      name: 'eventName',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. orderPlaced',
      hint: 'Exactly as the automation has it, capitals too: any other name succeeds and starts nothing',
      description: 'Name of the event that an automation in the service waits for',
    },
    ...WHOSE_FIELDS,
    ...EVENT_PROPERTY_FIELDS,
    ...CONTACT_VALUE_FIELDS,
  ],
  options: SENDING_OPTIONS,
  output: EVENT_OUTPUT,
  prepare: (item) => prepareEvent(item, readEventProperties(item)),
};
