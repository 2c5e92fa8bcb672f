import * as z from 'zod/mini';
import { sendText } from '../http/reply.js';
import { sentEmail } from '../mail/email.js';
import { controlEndpoint, RESPONDED } from './endpoint.js';
import { emailAt } from './emails.js';

/**
 * What a mail may do: show text, its own styles and the images that it carries, and open links in windows of their
 * own. No script, no form, no request to anywhere, not even when it is opened outside of the inbox.
 */
const policy = (images: string) =>
  `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

const PREAMBLE =
  '<!doctype html><meta charset="utf-8"><style>body{font:16px/1.5 system-ui,sans-serif;margin:24px;color:#1f2328;background:#fff;overflow-wrap:anywhere}</style>';

/** Without quotation marks, so that nothing breaks where a tag is part of a text. The first of two attributes counts. */
const LINK_ATTRIBUTES = ' target=_blank rel=noopener&#32;noreferrer';

export const emailBodyEndpoints = [
  controlEndpoint(
    'GET /emails/{id}/html',
    // Images of other hosts are loaded when the user wants that.
    { query: z.strictObject({ images: z.optional(z.literal('load')) }) },
    ({ sandbox, id, query, response }) => {
      const { html } = sentEmail(sandbox.account, emailAt(sandbox, id));
      const body = PREAMBLE + html.replace(/<(?:a|area)(?=[\s/>])/gi, `$&${LINK_ATTRIBUTES}`);
      sendText(response, 200, body, 'text/html; charset=utf-8', {
        'Content-Security-Policy': policy(query.images === 'load' ? 'data: http: https:' : 'data:'),
        'Referrer-Policy': 'no-referrer',
      });
      return RESPONDED;
    },
  ),
];
