import { get } from './contact/get.operation.js';
import { unsubscribe } from './contact/unsubscribe.operation.js';
import { update } from './contact/update.operation.js';
import { upsert } from './contact/upsert.operation.js';
import { create } from './contactProperty/create.operation.js';
import { send as sendEmail } from './email/send.operation.js';
import { send as sendEvent } from './event/send.operation.js';
import { getEmails, getGroups, getProperties } from './get-many.js';
import type { Resource } from '../run/operation.js';

/** All that the node can work with, in the order of the list. */
export const RESOURCES: readonly Resource[] = [
  { value: 'contact', name: 'Contact', operations: [upsert, get, unsubscribe, update], default: get },
  {
    value: 'contactProperty',
    name: 'Contact Property',
    operations: [create, getProperties],
    default: getProperties,
  },
  { value: 'email', name: 'Email', operations: [getEmails, sendEmail], default: sendEmail },
  { value: 'event', name: 'Event', operations: [sendEvent], default: sendEvent },
  { value: 'subscriptionGroup', name: 'Subscription Group', operations: [getGroups], default: getGroups },
];
