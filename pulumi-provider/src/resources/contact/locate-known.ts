import type { AudienceApi } from 'audience-core/internal';
import type { Identity } from '../people.js';
import type { Raw } from '../raw.js';
import { locate } from '../service-contacts.js';
import type { Located } from '../service-contacts.js';
import { attemptedIn } from './drift.js';
import { stateOf } from './state.js';

/** The contact of a state, by any identifier that it has, is to get now, or may have got by an unclear write. */
export function locateKnown(id: string, raw: Raw, client: AudienceApi, after?: Identity): Promise<Located> {
  const identities = [stateOf(raw), ...(after === undefined ? [] : [after]), ...attemptedIn(raw)];
  return locate(client, identities, (contact) => contact.id === id);
}
