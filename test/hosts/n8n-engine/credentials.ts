import {
  ICredentialsHelper,
  type ICredentialDataDecryptedObject,
  type ICredentialType,
  type IHttpRequestOptions,
  type INodeCredentialsDetails,
  type INodeProperties,
  type IRequestOptionsSimplified,
  type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

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

  /** Applies the authentication of a credential type that brings a function, as ours does. */
  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    options: IHttpRequestOptions | IRequestOptionsSimplified,
  ): Promise<IHttpRequestOptions> {
    const { authenticate } = this.types(typeName);
    if (!('url' in options) || typeof authenticate !== 'function')
      throw new Error('Not supported by the test engine: a uri, or authentication by expressions.');
    return await authenticate(credentials, options);
  }

  readonly preAuthentication = nothing;
  readonly runPreAuthentication = nothing;
  readonly getCredentials = refuse;
  readonly updateCredentials = refuse;
  readonly updateCredentialsOauthTokenData = refuse;
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('The test engine stores no credentials.'));
}
