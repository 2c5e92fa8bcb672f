import { BUILT_IN_PROPERTIES, contract } from 'audience-core/internal';
import { labelOf } from './label.js';
import { DONE, operation } from './operation.js';
import { SandboxError } from '../sandbox-error.js';

const listContactProperties = operation(contract.listContactProperties, (account, { query }) => {
  const shown = [...account.properties.values()].filter((property) => account.shows(property));
  const custom = shown.map(({ id, label, type }) => ({ key: id, label, type }));
  if (query.list === 'custom') return custom;
  const builtIn = Object.entries(BUILT_IN_PROPERTIES).map(([key, type]) => ({
    key,
    label: labelOf(key),
    type,
  }));
  return [...builtIn, ...custom];
});

const createContactProperty = operation(contract.createContactProperty, (account, { body, profile }) => {
  const known = account.properties.get(body.name);
  if (known !== undefined) {
    throw new SandboxError({ code: 'property_exists', name: body.name, type: known.type }, 409);
  }
  account.properties.put({
    id: body.name,
    label: labelOf(body.name),
    type: body.type,
    ...account.hiddenFor(profile.visibleAfterMs),
  });
  return DONE;
});

export const contactPropertyOperations = { listContactProperties, createContactProperty };
