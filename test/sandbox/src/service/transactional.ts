import { contract, PER_PAGE } from 'audience-core/internal';
import type { DesignRecord } from '../account/records.js';
import { deliver } from '../mail/deliver.js';
import { checkContactValues } from './contact-values.js';
import { readCursor, writeCursor } from './cursor.js';
import { findContact, matchContact } from './match-contact.js';
import { DONE, operation } from './operation.js';
import { SandboxError } from '../sandbox-error.js';

const listTransactionalEmails = operation(contract.listTransactionalEmails, (account, { query, baseUrl }) => {
  const perPage = query.perPage ?? PER_PAGE.default;
  const after = query.cursor === undefined ? 0 : readCursor(query.cursor);
  const rest = [...account.designs.values()].filter((design) => design.position > after);
  const page = rest.slice(0, perPage);
  const last = page.at(-1);
  const nextCursor = last !== undefined && rest.length > page.length ? writeCursor(last.position) : null;
  return {
    pagination: {
      totalResults: account.designs.size,
      returnedResults: page.length,
      perPage,
      totalPages: Math.ceil(account.designs.size / perPage),
      nextCursor,
      nextPage:
        nextCursor === null
          ? null
          : `${baseUrl}${contract.listTransactionalEmails.path}?${new URLSearchParams({ perPage: String(perPage), cursor: nextCursor }).toString()}`,
    },
    data: page.map(publicDesign),
  };
});

function publicDesign({ id, name, lastUpdated, dataVariables }: DesignRecord) {
  return { id, name, lastUpdated, dataVariables };
}

/** Fields of an email that are none of the contact. */
const OWN_FIELDS = ['transactionalId', 'addToAudience', 'dataVariables'];

const sendTransactionalEmail = operation(contract.sendTransactionalEmail, (account, request) => {
  const { email, userId, transactionalId, addToAudience, dataVariables } = request.body;
  const properties = checkContactValues(account, request.body, OWN_FIELDS);
  const design = account.designs.get(transactionalId);
  if (design === undefined) {
    throw new SandboxError({ code: 'no_design', id: transactionalId }, 404);
  }
  const to = email ?? findContact(account, { userId })?.email;
  if (to === undefined || to === null) {
    throw new SandboxError({ code: 'no_address', userId }, 404);
  }
  const missing = design.dataVariables.filter((name) => !Object.hasOwn(dataVariables ?? {}, name));
  if (request.profile.missingVariables === 'refuse' && missing.length > 0) {
    throw new SandboxError({ code: 'variables_missing', id: transactionalId, names: missing.join(', ') });
  }
  const contact =
    addToAudience === true ? matchContact(account, request.body, properties, request.profile) : undefined;
  deliver(account, design, {
    to,
    variables: dataVariables ?? {},
    contactId: contact?.id ?? null,
    key: request.idempotencyKey,
  });
  return DONE;
});

export const transactionalOperations = { listTransactionalEmails, sendTransactionalEmail };
