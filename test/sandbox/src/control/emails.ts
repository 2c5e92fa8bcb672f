import * as z from 'zod/mini';
import type { EmailRecord } from '../account/records.js';
import { listedEmail, sentEmail } from '../mail/email.js';
import { SandboxError } from '../sandbox-error.js';
import type { Sandbox } from '../sandbox.js';
import { controlEndpoint } from './endpoint.js';
import { found, pageOf, searchQuery } from './search.js';

/** @throws SandboxError 404 when there is no such email */
export function emailAt(sandbox: Sandbox, id: string): EmailRecord {
  const email = sandbox.account.emails.get(id);
  if (email === undefined) throw new SandboxError({ code: 'no_email', id }, 404);
  return email;
}

/** The values of an email that a search looks at. */
const valuesOf = ({ to, subject, design, transactionalId, eventName, key, variables }: EmailRecord) => [
  ...[to, subject, design, transactionalId, eventName, key],
  ...Object.values(variables),
];

/** Deletes what a search finds, or else all. An empty search is a mistake. */
const deletionQuery = z.strictObject({ search: z.optional(z.string().check(z.minLength(1))) });

export const emailEndpoints = [
  controlEndpoint('GET /emails', { query: searchQuery }, ({ sandbox: { account }, query }) => {
    const { search = '', ...range } = query;
    const emails = found(account.emails.values(), search, valuesOf);
    return pageOf(emails, range, (email) => listedEmail(account, email));
  }),
  controlEndpoint('GET /emails/{id}', {}, ({ sandbox, id }) =>
    sentEmail(sandbox.account, emailAt(sandbox, id)),
  ),
  controlEndpoint(
    'PATCH /emails/{id}',
    { body: z.strictObject({ read: z.boolean() }) },
    ({ sandbox, id, body: { read } }) => {
      sandbox.account.emails.put({ ...emailAt(sandbox, id), read });
    },
  ),
  controlEndpoint('DELETE /emails/{id}', {}, ({ sandbox, id }) => {
    sandbox.account.emails.delete(emailAt(sandbox, id).id);
  }),
  controlEndpoint('DELETE /emails', { query: deletionQuery }, ({ sandbox, query: { search } }) => {
    const { emails } = sandbox.account;
    if (search === undefined) emails.clear();
    else for (const { id } of found(emails.values(), search, valuesOf)) emails.delete(id);
  }),
];
