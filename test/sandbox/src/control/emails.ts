import * as z from 'zod/mini';
import { EmailWaitError, emailWaitSchema } from '../mail/email-waiter.js';
import {
  emailSummarySchema,
  listedEmail,
  listedEmailSchema,
  sentEmail,
  sentEmailSchema,
  summaryOf,
} from '../mail/email.js';
import { searchEmails, unknownOperators } from '../mail/search.js';
import { SandboxError } from '../sandbox-error.js';
import type { Sandbox } from '../sandbox.js';
import type { EmailRecord } from '../account/records.js';
import { actionEndpoint, controlEndpoint, endpoints } from './endpoint.js';
import { page, pageOf, pageQuery } from './page.js';

/** @throws SandboxError 404 when there is no such mail */
export function emailAt(sandbox: Sandbox, id: string): EmailRecord {
  const email = sandbox.account.emails.get(id);
  if (email === undefined) throw new SandboxError({ code: 'no_email', id }, 404);
  return email;
}

export const emailEndpoints = endpoints('emails', {
  listEmails: controlEndpoint(
    'GET /emails',
    'List mails, the newest first',
    {
      query: z.extend(pageQuery, {
        search: z
          .optional(z.string())
          .check(
            z.describe(
              'Words, and to:, design:, event:, key:, subject:, is:unread, is:read, is:incomplete; - or ! before one turns it round.',
            ),
          ),
      }),
      response: z.extend(page(listedEmailSchema), { unread: z.int(), unknownOperators: z.array(z.string()) }),
    },
    ({ sandbox, query }) => {
      const { search, ...range } = query;
      const found = searchEmails(sandbox.account.emails.values(), search ?? '');
      return {
        ...pageOf(found, range, (email) => listedEmail(sandbox.account, email)),
        unread: found.filter((email) => !email.read).length,
        unknownOperators: unknownOperators(search ?? ''),
      };
    },
  ),
  waitForEmail: controlEndpoint(
    'GET /emails/wait',
    'Wait for a mail; one that is there already counts',
    { query: emailWaitSchema, response: sentEmailSchema },
    async ({ sandbox, query }) => {
      try {
        return await sandbox.waiter.wait(query);
      } catch (error) {
        if (error instanceof EmailWaitError)
          throw new SandboxError({ code: 'no_email_in_time', reason: error.message }, 404);
        throw error;
      }
    },
  ),
  getEmail: controlEndpoint(
    'GET /emails/{id}',
    'Read a mail with its body',
    { idOf: 'the mail', response: sentEmailSchema },
    ({ sandbox, id }) => sentEmail(sandbox.account, emailAt(sandbox, id)),
  ),
  markEmail: controlEndpoint(
    'PATCH /emails/{id}',
    'Mark a mail as read or unread',
    { idOf: 'the mail', body: z.strictObject({ read: z.boolean() }), response: emailSummarySchema },
    ({ sandbox, id, body }) =>
      summaryOf(sandbox.account.emails.put({ ...emailAt(sandbox, id), read: body.read })),
  ),
  deleteEmail: actionEndpoint(
    'DELETE /emails/{id}',
    'Delete a mail',
    { idOf: 'the mail' },
    ({ sandbox, id }) => sandbox.account.emails.delete(emailAt(sandbox, id).id),
  ),
  clearEmails: controlEndpoint(
    'DELETE /emails',
    'Delete all mails, or those that a search finds or ids name',
    {
      query: z
        .strictObject({
          search: z
            .optional(z.string().check(z.minLength(1)))
            .check(z.describe('Deletes what this search finds.')),
          ids: z
            .optional(z.string().check(z.minLength(1)))
            .check(z.describe('Deletes the mails with these ids, parted by commas.')),
        })
        .check(
          z.refine(({ search, ids }) => search === undefined || ids === undefined, {
            error: "Give only one of 'search' and 'ids'",
          }),
        ),
      response: z.object({ success: z.literal(true) }),
    },
    ({ sandbox: { account }, query: { search, ids } }) => {
      const { emails } = account;
      if (ids !== undefined) for (const id of ids.split(',')) emails.delete(id);
      else if (search === undefined) emails.clear();
      else for (const { id } of searchEmails(emails.values(), search)) emails.delete(id);
      return { success: true as const };
    },
  ),
});
