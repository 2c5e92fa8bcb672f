import * as z from 'zod';
import { EmailWaitError, emailWaitSchema } from '../mail/email-waiter.js';
import { emailSummarySchema, sentEmail, sentEmailSchema, summaryOf } from '../mail/email.js';
import { searchEmails } from '../mail/search.js';
import { Problem } from '../service/problem.js';
import type { Sandbox } from '../sandbox.js';
import type { EmailRecord } from '../account/records.js';
import { actionEndpoint, controlEndpoint } from './endpoint.js';
import { page, pageOf, pageQuery } from './page.js';

const tag = 'emails';
const idOf = 'the mail';

export const listEmails = controlEndpoint(
  {
    operationId: 'listEmails',
    method: 'GET',
    path: '/emails',
    tag,
    summary: 'List mails, the newest first',
    query: pageQuery.extend({
      search: z
        .string()
        .optional()
        .describe(
          'Words, and to:, design:, event:, key:, subject:, is:unread, is:read, is:incomplete; - or ! before one turns it round.',
        ),
    }),
    response: page(emailSummarySchema).extend({ unread: z.int() }),
  },
  ({ sandbox, query }) => {
    const { search, ...range } = query;
    const found = searchEmails(sandbox.account.emails.values(), search ?? '');
    return { ...pageOf(found, range, summaryOf), unread: found.filter((email) => !email.read).length };
  },
);

export const waitForEmail = controlEndpoint(
  {
    operationId: 'waitForEmail',
    method: 'GET',
    path: '/emails/wait',
    tag,
    summary: 'Wait for a mail, or take the first that is there already',
    query: emailWaitSchema,
    response: sentEmailSchema,
  },
  async ({ sandbox, query }) => {
    try {
      return await sandbox.waiter.wait(query);
    } catch (error) {
      if (error instanceof EmailWaitError) throw new Problem(404, error.message);
      throw error;
    }
  },
);

export const getEmail = controlEndpoint(
  {
    operationId: 'getEmail',
    method: 'GET',
    path: '/emails/{id}',
    tag,
    idOf,
    summary: 'Read a mail with its body',
    response: sentEmailSchema,
  },
  ({ sandbox, id }) => sentEmail(sandbox.account, emailAt(sandbox, id)),
);

export const markEmail = controlEndpoint(
  {
    operationId: 'markEmail',
    method: 'PATCH',
    path: '/emails/{id}',
    tag,
    idOf,
    summary: 'Mark a mail as read or unread',
    body: z.strictObject({ read: z.boolean() }),
    response: emailSummarySchema,
  },
  ({ sandbox, id, body }) =>
    summaryOf(sandbox.account.emails.put({ ...emailAt(sandbox, id), read: body.read })),
);

export const deleteEmail = actionEndpoint(
  {
    operationId: 'deleteEmail',
    method: 'DELETE',
    path: '/emails/{id}',
    tag,
    idOf,
    summary: 'Delete a mail',
  },
  ({ sandbox, id }) => sandbox.account.emails.delete(emailAt(sandbox, id).id),
);

export const clearEmails = actionEndpoint(
  {
    operationId: 'clearEmails',
    method: 'DELETE',
    path: '/emails',
    tag,
    summary: 'Delete all mails',
  },
  ({ sandbox }) => sandbox.account.emails.clear(),
);

/** @throws Problem 404 when there is no such mail */
export function emailAt(sandbox: Sandbox, id: string): EmailRecord {
  const email = sandbox.account.emails.get(id);
  if (email === undefined) throw new Problem(404, `There is no email '${id}'. It may have been deleted.`);
  return email;
}
