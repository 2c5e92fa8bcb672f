import * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import { emailRecordSchema, type EmailRecord } from '../account/records.js';
import { snippetOf } from './snippet.js';
import { renderBody } from './template.js';

/** An email with its body as HTML. */
export const sentEmailSchema = z.extend(z.omit(emailRecordSchema, { templateId: true }), {
  html: z.string(),
});

/** An email as the recipient would get it, with its body as HTML. */
export type SentEmail = z.infer<typeof sentEmailSchema>;

/** An email in the list, with the beginning of its text. */
export function listedEmail(account: Account, email: EmailRecord) {
  const { html, ...summary } = sentEmail(account, email);
  return { ...summary, snippet: snippetOf(html, email.subject) };
}

export function sentEmail(account: Account, { templateId, ...email }: EmailRecord): SentEmail {
  const template = account.templates.get(templateId);
  return { ...email, html: template === undefined ? '' : renderBody(template, email.variables) };
}
