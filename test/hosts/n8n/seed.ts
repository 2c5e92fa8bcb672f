import { DEFAULT_SEED, type Seed } from 'audience-sandbox';

/** What the sandbox of a whole n8n holds: the usual, and what the workflow templates use beside it. */
export const TEMPLATE_SEED: Seed = {
  ...DEFAULT_SEED,
  designs: [
    ...(DEFAULT_SEED.designs ?? []),
    {
      id: 'design-alert-digest',
      name: 'Alert digest',
      subject: '{{count}} alerts are open',
      body: '<h1>{{count}} alerts are open</h1><p>{{alerts}}</p>',
    },
    { id: 'design-plain', name: 'Plain notice', subject: 'A notice', body: '<p>The same for everyone.</p>' },
  ],
};
