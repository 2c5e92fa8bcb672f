import type { Seed } from './schema.js';

/** What a sandbox holds when it was started without a seed: enough to send, update and trigger something at once. */
export const DEFAULT_SEED: Seed = {
  designs: [
    {
      id: 'design-welcome',
      name: 'Welcome',
      lastUpdated: '2026-01-12T09:00:00.000Z',
      subject: 'Welcome, {{firstName}}',
      body: '<h1>Welcome, {{firstName}}</h1><p>Your plan is <b>{{planName}}</b>. Good to have you here.</p>',
    },
    {
      id: 'design-password-reset',
      name: 'Password reset',
      lastUpdated: '2026-01-20T14:30:00.000Z',
      subject: 'Reset your password',
      body: '<h1>Reset your password</h1><p><a href="{{resetUrl}}">Choose a new password</a>. The link works for {{minutes}} minutes.</p>',
    },
    {
      id: 'design-receipt',
      name: 'Receipt',
      lastUpdated: '2026-02-03T08:15:00.000Z',
      subject: 'Your receipt for order {{orderNumber}}',
      body: '<h1>Thank you</h1><p>Order <b>{{orderNumber}}</b> comes to {{total}}.</p>',
    },
  ],
  automations: [
    {
      id: 'automation-signed-up',
      name: 'Onboarding',
      eventName: 'signedUp',
      subject: 'Three things to try first',
      body: '<h1>Hello {{firstName}}</h1><p>You chose the {{planName}} plan. Here are three things to try first.</p>',
    },
    {
      id: 'automation-purchased',
      name: 'Purchase follow-up',
      eventName: 'purchased',
      subject: 'How is your {{productName}}?',
      body: '<p>Hello {{firstName}}, how do you like your {{productName}}?</p>',
    },
  ],
  subscriptionGroups: [
    { id: 'group-newsletter', name: 'Newsletter', description: 'What is new, once a month' },
    { id: 'group-product-updates', name: 'Product updates', description: null },
  ],
  properties: [
    { name: 'companyName', type: 'string' },
    { name: 'jobTitle', type: 'string' },
    { name: 'teamSize', type: 'number' },
    { name: 'isTrialUser', type: 'boolean' },
  ],
  contacts: [
    {
      email: 'ada@example.com',
      userId: 'user-ada',
      firstName: 'Ada',
      lastName: 'Lovelace',
      subscriptionGroups: { 'group-newsletter': true },
      properties: { companyName: 'Analytical Engines', teamSize: 2, isTrialUser: false },
    },
    {
      email: 'grace@example.com',
      firstName: 'Grace',
      lastName: 'Hopper',
      properties: { jobTitle: 'Rear admiral' },
    },
  ],
};
