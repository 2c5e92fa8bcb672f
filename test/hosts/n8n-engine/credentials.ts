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
  getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    _details: INodeCredentialsDetails,
    type: string,
  ): Promise<ICredentialDataDecryptedObject> {
    const data = this.given[type];
    if (data === undefined) {
      return Promise.reject(new Error(`No credential of type '${type}' was given to the test engine.`));
    }
    const decrypted: ICredentialDataDecryptedObject = {};
    for (const property of this.getCredentialsProperties(type)) {
      const value = data[property.name] ?? property.default;
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
        decrypted[property.name] = value;
      }
    }
    return Promise.resolve(decrypted);
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
    if (workflow === undefined || node === undefined)
      throw new Error('A credential needs its workflow and node.');
    const headers = { ...options.headers };
    for (const [name, value] of Object.entries(authenticate.properties.headers ?? {})) {
      if (typeof value !== 'string') continue;
      const resolved = workflow.expression.getSimpleParameterValue(
        node,
        value,
        'internal',
        { $credentials: credentials },
        undefined,
        '',
      );
      headers[name] = typeof resolved === 'string' ? resolved : '';
    }
    return { ...options, headers };
  }

  preAuthentication(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  runPreAuthentication(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  getCredentials(): Promise<ICredentials> {
    return Promise.reject(new Error(NO_STORE));
  }

  updateCredentials(): Promise<void> {
    return Promise.reject(new Error(NO_STORE));
  }

  updateCredentialsOauthTokenData(): Promise<void> {
    return Promise.reject(new Error(NO_STORE));
  }
}

const NO_STORE = 'The test engine stores no credentials.';

function toHttpRequestOptions(options: IHttpRequestOptions | IRequestOptionsSimplified): IHttpRequestOptions {
  if ('url' in options) return options;
  throw new Error('Requests in the old form, with a uri, are not supported by the test engine.');
}
