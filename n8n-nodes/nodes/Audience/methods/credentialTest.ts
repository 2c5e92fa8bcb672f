import { PER_PAGE } from 'audience-core/internal';
import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { explain } from '../node-error.js';
import { credentialTestTransport } from '../service/host-transport.js';
import { createApi } from '../service/session.js';

/** Tests a credential by the rules of a run: one that passes works there, too. */
export async function audienceApiTest(
  this: ICredentialTestFunctions,
  credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  try {
    const api = createApi(credential.data ?? {}, (apiKey) => credentialTestTransport(this, apiKey));
    await api.transactional.list({ perPage: PER_PAGE.min });
    return { status: 'OK', message: 'The service accepts this API key.' };
  } catch (error) {
    const { what, wayOut } = explain(error);
    return { status: 'Error', message: wayOut === '' ? what : `${what}. ${wayOut}` };
  }
}
