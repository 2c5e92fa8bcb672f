import * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import { emailRecordSchema, type EmailRecord } from '../account/records.js';
import { snippetOf } from './snippet.js';
import { renderBody } from './template.js';

export const emailSummarySchema = z.omit(emailRecordSchema, { templateId: true });

/** A mail as the inbox lists it. */
export type EmailSummary = z.infer<typeof emailSummarySchema>;

/** A mail in the list, with the beginning of its text. */
export const listedEmailSchema = z.extend(emailSummarySchema, { snippet: z.string() });

/** A mail with its body as HTML. */
export const sentEmailSchema = z.extend(emailSummarySchema, { html: z.string() });

/** A mail as it would have reached a person, with its body as HTML. */
export type SentEmail = z.infer<typeof sentEmailSchema>;

/** A mail as the inbox lists it. */
export function summaryOf({ templateId: _templateId, ...summary }: EmailRecord): EmailSummary {
  return summary;
}

/** A mail in the list, with the beginning of its text. */
export function listedEmail(account: Account, email: EmailRecord): z.infer<typeof listedEmailSchema> {
  const { html, ...summary } = sentEmail(account, email);
  return { ...summary, snippet: snippetOf(html, email.subject) };
}

export function sentEmail(account: Account, email: EmailRecord): SentEmail {
  const template = account.templates.get(email.templateId);
  return {
    ...summaryOf(email),
    html: template === undefined ? '' : renderBody(template, email.variables),
  };
}
