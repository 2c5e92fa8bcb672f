import * as z from 'zod/mini';
import type { EmailRecord } from '../account/records.js';
import { listedEmail, sentEmail, summaryOf } from '../mail/email.js';
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

/** Which emails to delete: those that a search finds, or those with ids that are separated by commas; else all. */
const deletionQuery = z
  .strictObject({
    search: z.optional(z.string().check(z.minLength(1))),
    ids: z.optional(z.string().check(z.minLength(1))),
  })
  .check(
    z.refine(({ search, ids }) => search === undefined || ids === undefined, {
      error: "Give only one of 'search' and 'ids'",
    }),
  );

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
    ({ sandbox, id, body }) =>
      summaryOf(sandbox.account.emails.put({ ...emailAt(sandbox, id), read: body.read })),
  ),
  controlEndpoint('DELETE /emails/{id}', {}, ({ sandbox, id }) => {
    sandbox.account.emails.delete(emailAt(sandbox, id).id);
  }),
  controlEndpoint('DELETE /emails', { query: deletionQuery }, ({ sandbox, query: { search, ids } }) => {
    const { emails } = sandbox.account;
    if (ids !== undefined) for (const id of ids.split(',')) emails.delete(id);
    else if (search === undefined) emails.clear();
    else for (const { id } of searchEmails(emails.values(), search)) emails.delete(id);
  }),
];
