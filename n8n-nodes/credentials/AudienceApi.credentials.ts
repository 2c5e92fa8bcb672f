import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** An account of the Audience service: its address and an API key. The node tests it, by the rules of a run. */
export class AudienceApi implements ICredentialType {
  name = 'audienceApi';

  displayName = 'Audience API';

  icon: Icon = { light: 'file:../icons/audience.svg', dark: 'file:../icons/audience.dark.svg' };

  documentationUrl = 'https://github.com/audience-dev/audience/tree/main/n8n-nodes#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. https://api.example.com',
      description: 'Address of the service',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: 'The API key of your account',
    },
    {
      displayName: 'Used Key Status',
      name: 'usedKeyStatus',
      type: 'options',
      options: [
        { name: 'Not Documented', value: 0 },
        ...[400, 409, 412, 422, 425].map((value) => ({ name: String(value), value })),
      ],
      default: 0,
      description:
        'The status that this service uses only for "a request with this key was carried out": never for one in progress, one that failed, or a conflict of contacts. Choose one only if the documentation of the service says so.',
    },
    {
      displayName: 'Allow Unencrypted Connection',
      name: 'allowInsecure',
      type: 'boolean',
      default: false,
      description:
        'Whether the API key may be sent unencrypted, over http. Use it only in a network you trust; for localhost, http is always allowed.',
    },
  ];

  /** A function, as n8n would evaluate an expression anew for every request. */
  authenticate: IAuthenticate = ({ apiKey }, request) =>
    Promise.resolve({
      ...request,
      headers: {
        ...request.headers,
        Authorization: `Bearer ${typeof apiKey === 'string' ? apiKey.trim() : ''}`,
      },
    });
}
