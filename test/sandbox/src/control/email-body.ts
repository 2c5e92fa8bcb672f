import { sendText } from '../http/reply.js';
import { sentEmail } from '../mail/email.js';
import { controlEndpoint, endpoints } from './endpoint.js';
import { emailAt } from './emails.js';

/**
 * What a mail may do: show text, its own styles, and pictures that it carries within itself. No script, no form,
 * no request to anywhere, not even when it is opened outside of the inbox.
 */
const EMAIL_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Links would open a new window, which the frame forbids: they do nothing, instead of leading the frame away. */
const PREAMBLE =
  '<!doctype html><meta charset="utf-8"><base target="_blank"><style>body{font:16px/1.5 system-ui,sans-serif;margin:24px;color:#1f2328;background:#fff;overflow-wrap:anywhere}</style>';

export const emailBodyEndpoints = endpoints('emails', {
  getEmailBody: controlEndpoint(
    'GET /emails/{id}/html',
    'The body of a mail as a page that can do nothing',
    { idOf: 'the mail', response: { mediaType: 'text/html', description: 'The rendered body.' } },
    ({ sandbox, id, response }) => {
      const { html } = sentEmail(sandbox.account, emailAt(sandbox, id));
      sendText(response, 200, PREAMBLE + html, 'text/html; charset=utf-8', {
        'Content-Security-Policy': EMAIL_POLICY,
        'Referrer-Policy': 'no-referrer',
      });
      return undefined;
    },
  ),
});
