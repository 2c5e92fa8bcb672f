import { contact } from './contact/index.js';
import { contactProperty } from './contactProperty/index.js';
import { email } from './email/index.js';
import { event } from './event/index.js';
import type { Resource } from './operation.js';
import { subscriptionGroup } from './subscriptionGroup/index.js';

/** All that the node can work with, in the order of the list. */
export const RESOURCES: readonly Resource[] = [contact, contactProperty, email, event, subscriptionGroup];
