import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

/** An account of the Audience service: its address and an API key. */
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
      description: "Address of the service, without '/v1' at its end",
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: 'The key that the service gave you for your account',
    },
    {
      displayName: 'Allow Unencrypted Connection',
      name: 'allowInsecure',
      type: 'boolean',
      default: false,
      description:
        'Whether the API key may cross the network in the open, over http. Only for a service in a network you trust; on this machine (localhost) http is always allowed.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: {
      headers: {
        Authorization: '=Bearer {{$credentials.apiKey}}',
      },
    },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
      url: '/v1/transactional',
      qs: { perPage: 10 },
      disableFollowRedirect: true,
    },
    rules: [
      {
        type: 'responseCode',
        properties: {
          value: 401,
          message: 'The service does not accept this API key. Check that it is complete and not revoked.',
        },
      },
      {
        type: 'responseCode',
        properties: {
          value: 403,
          message: 'This API key is not allowed to list emails. Use a key with the right to do it.',
        },
      },
      {
        type: 'responseCode',
        properties: {
          value: 404,
          message: "There is no Audience service at this base URL. Check the address; it ends before '/v1'.",
        },
      },
    ],
  };
}
