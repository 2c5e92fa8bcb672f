// The recipes that `.ci/recipes.mjs` plays, by name: those with steps that a test asks for. What the compiler asks for needs
// no program. Each stage changes files ([file, old text, new text]; a file that is new has no old text), runs commands, and
// lists what they have to ask for: the step of CONTRIBUTING.md, and what shows it.
const jest = (...paths) => `npx jest ${paths.join(' ')}`;
const BUILT = 'npm run build';
const TYPES = 'npx tsc -b';

export const RECIPES = {
  'a field of a contact': [
    {
      edits: [
        [
          'shared/src/contract/contact-fields.ts',
          '  /** Origin of the contact. */\n',
          "  /** When the contact was last seen. */\n  lastSeenAt: {\n    label: 'Last Seen At',\n    description: 'When the contact was last seen.',\n    type: 'date',\n    clearable: true,\n    setBy: ['updateContact'],\n  },\n  /** Origin of the contact. */\n",
        ],
      ],
      run: [BUILT, TYPES, jest('plugin/schema', 'second-opinion.test', 'previews.test', 'sandbox/service')],
      asks: {
        'the interface': /● the fields of a contact are those of the interface/,
        'the second opinion': /● .*differ only as listed/,
        'a change of it in Pulumi': /scenarios\/ignored\.ts.*TS2741/,
        "the plugin's schema": /● .*npm run schema/,
        'the preview in n8n': /● the preview of contact\/get matches the output/,
        'the expectation of the sandbox': /● contacts are read .* with every field/,
      },
    },
  ],
  'an endpoint': [
    {
      edits: [
        [
          'shared/src/contract/endpoints.ts',
          '  getContact: defineEndpoint({\n',
          "  countContacts: defineEndpoint({\n    operationId: 'countContacts',\n    method: 'GET',\n    path: '/v1/contacts/count',\n    summary: 'Count contacts',\n    isRepeatable: true,\n    response: z.looseObject({ count: z.int() }),\n  }),\n  getContact: defineEndpoint({\n",
        ],
      ],
      run: [BUILT, jest('second-opinion.test', 'documented.test')],
      asks: {
        'the interface': /● the endpoints are those of the interface/,
        'the second opinion': /● .*differ only as listed/,
        'its method, and its row in the README':
          /● the README of the client has a call for GET \/v1\/contacts\/count/,
      },
    },
  ],
  'an operation of the node': [
    {
      edits: [
        [
          'n8n-nodes/nodes/Audience/actions/resources.ts',
          'operations: [sendEvent], default',
          "operations: [sendEvent, { ...sendEvent, value: 'replay', name: 'Replay', action: 'Replay an event' }], default",
        ],
      ],
      run: [BUILT, jest('previews.test', 'documented.test')],
      asks: {
        'its preview and its run': /● there is a preview for every operation/,
        'its row in the README': /● the README of the node has each operation/,
      },
    },
  ],
  'an input of a Pulumi resource': [
    {
      edits: [
        [
          'pulumi-provider/src/resources/contacts/inputs.ts',
          '  createWithEvent: z.optional(eventSchema),\n',
          '  createWithEvent: z.optional(eventSchema),\n  pace: z.optional(z.int()),\n',
        ],
      ],
      run: [jest('plugin/schema')],
      asks: { 'its text': /'pace' has no description/ },
    },
    {
      edits: [
        [
          'pulumi-provider/scripts/schema/descriptions.ts',
          "      count: 'How many contacts are declared.',\n",
          "      count: 'How many contacts are declared.',\n      pace: 'Rows in a second.',\n",
        ],
      ],
      run: [jest('plugin/schema')],
      asks: { "the plugin's schema": /● .*npm run schema/ },
    },
    {
      edits: [],
      run: ['npm run schema -w pulumi-audience', jest('plugin/schema')],
      asks: { 'its row': /● .*neither the README nor docs\/files\.md names/ },
    },
  ],
};
