/**
 * What the editor shows where a list of fields could not be read. It is the one text for any failure, so it must be
 * true of each.
 */
function notLoaded(what: string): string {
  return `${what} could not be loaded. Check the credential, and that the service can be reached; then choose 'Refresh … List' in the menu (⋮) beside the name of this section.`;
}

export const CONTACT_FIELDS_NOT_LOADED = notLoaded('The fields of contacts');
export const VARIABLES_NOT_LOADED = notLoaded('The variables of the email');
