import * as z from 'zod/mini';
import type { EmailRecord } from '../account/records.js';
import { listedEmail, sentEmail } from '../mail/email.js';
import { searchEmails, unknownOperators } from '../mail/search.js';
import { SandboxError } from '../sandbox-error.js';
import type { Sandbox } from '../sandbox.js';
import { controlEndpoint } from './endpoint.js';
import { pageOf, searchQuery } from './page.js';

/** @throws SandboxError 404 when there is no such email */
export function emailAt(sandbox: Sandbox, id: string): EmailRecord {
  const email = sandbox.account.emails.get(id);
  if (email === undefined) throw new SandboxError({ code: 'no_email', id }, 404);
  return email;
}

/** Deletes what a search finds, or else all. An empty search is a mistake. */
const deletionQuery = z.strictObject({ search: z.optional(z.string().check(z.minLength(1))) });

export const emailEndpoints = [
  controlEndpoint('GET /emails', { query: searchQuery }, ({ sandbox: { account }, query }) => {
    const { search = '', ...range } = query;
    const found = searchEmails(account.emails.values(), search);
    return {
      ...pageOf(found, range, (email) => listedEmail(account, email)),
      unread: found.filter((email) => !email.read).length,
      unknownOperators: unknownOperators(search),
    };
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
    else for (const { id } of searchEmails(emails.values(), search)) emails.delete(id);
  }),
];
