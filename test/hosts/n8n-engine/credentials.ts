import type {
  ICredentialDataDecryptedObject,
  ICredentials,
  ICredentialType,
  IHttpRequestOptions,
  INode,
  INodeCredentialsDetails,
  INodeProperties,
  IRequestOptionsSimplified,
  IWorkflowExecuteAdditionalData,
  Workflow,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

/** What a person typed into the fields of a credential. */
export type CredentialData = Record<string, string | number | boolean>;

/** n8n's credential store, reduced to the credentials that a test hands over, by credential type. */
export class GivenCredentials extends ICredentialsHelper {
  constructor(
    private readonly types: (type: string) => ICredentialType,
    private readonly given: Readonly<Record<string, CredentialData>>,
  ) {
    super();
  }

  getParentTypes(_name: string): string[] {
    return [];
  }

  isCredentialUsableByNode(_credentialType: string, _nodeType: string): boolean {
    return true;
  }

  getCredentialsProperties(type: string): INodeProperties[] {
    return this.types(type).properties;
  }

  /** The data given for `type`, with the defaults of fields that were left out. */
  async getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    _details: INodeCredentialsDetails,
    type: string,
  ): Promise<ICredentialDataDecryptedObject> {
    const data = this.given[type];
    if (data === undefined) throw new Error(`No credential of type '${type}' was given to the test engine.`);
    const decrypted: ICredentialDataDecryptedObject = {};
    for (const property of this.getCredentialsProperties(type)) {
      const value = data[property.name] ?? property.default;
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
        decrypted[property.name] = value;
      }
    }
    return decrypted;
  }

  /** Applies the `generic` authentication of a credential type, expressions resolved by n8n. */
  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
    workflow?: Workflow,
    node?: INode,
  ): Promise<IHttpRequestOptions> {
    const options = toHttpRequestOptions(requestOptions);
    const { authenticate } = this.types(typeName);
    if (authenticate === undefined) return options;
    if (typeof authenticate === 'function') return await authenticate(credentials, options);
    if (workflow === undefined || node === undefined) throw new Error('A credential needs its workflow and node.');
    const headers = { ...options.headers };
    for (const [name, value] of Object.entries(authenticate.properties.headers ?? {})) {
      const resolved = workflow.expression.getSimpleParameterValue(
        node,
        String(value),
        'internal',
        { $credentials: credentials },
        undefined,
        '',
      );
      headers[name] = String(resolved);
    }
    return { ...options, headers };
  }

  async preAuthentication(): Promise<undefined> {
    return undefined;
  }

  async runPreAuthentication(): Promise<undefined> {
    return undefined;
  }

  async getCredentials(): Promise<ICredentials> {
    throw new Error('The test engine stores no encrypted credentials.');
  }

  async updateCredentials(): Promise<void> {
    throw new Error('The test engine stores no credentials.');
  }

  async updateCredentialsOauthTokenData(): Promise<void> {
    throw new Error('The test engine stores no credentials.');
  }
}

function toHttpRequestOptions(options: IHttpRequestOptions | IRequestOptionsSimplified): IHttpRequestOptions {
  if ('url' in options && options.url !== undefined) return options;
  throw new Error('Requests in the old form, with a uri, are not supported by the test engine.');
}
