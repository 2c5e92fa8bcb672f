import type {
  IAuthenticate,
  IAuthenticateRuleBase,
  IAuthenticateRuleResponseCode,
  IAuthenticateRuleResponseSuccessBody,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

const statusRules: IAuthenticateRuleResponseCode[] = [
  statusRule(401, 'The service does not accept this API key. Check that it is complete and not revoked.'),
  statusRule(403, 'This API key is not allowed to list emails. Use a key with the right to do it.'),
  statusRule(404, "There is no Audience service at this base URL. Check the address; it ends before '/v1'."),
];

/** An answer that is none of this service's: no list of emails with its pagination. */
const bodyRule: IAuthenticateRuleResponseSuccessBody = {
  type: 'responseSuccessBody',
  properties: {
    key: 'pagination',
    value: undefined,
    message: 'Something answers at this base URL, but it is not the Audience service. Check the address.',
  },
};

// n8n tests the rules one by one, whatever their kind; only its type asks for rules of one kind.
const rules = statusRules;
const rulesOfAnyKind: IAuthenticateRuleBase[] = rules;
rulesOfAnyKind.push(bodyRule);

function statusRule(value: number, message: string): IAuthenticateRuleResponseCode {
  return { type: 'responseCode', properties: { value, message } };
}

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

  /** A function, as n8n would evaluate an expression anew for every request. */
  authenticate: IAuthenticate = ({ apiKey }, request) =>
    Promise.resolve({
      ...request,
      headers: { ...request.headers, Authorization: `Bearer ${typeof apiKey === 'string' ? apiKey : ''}` },
    });

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
      url: '/v1/transactional',
      qs: { perPage: 10 },
      disableFollowRedirect: true,
    },
    rules,
  };
}
