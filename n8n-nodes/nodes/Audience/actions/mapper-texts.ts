// What the editor shows wherever there are no fields to show, with a link to try again: it is one text for a list
// that could not be read and for one that is empty, so it must be true of each that can be.

/** There are always fields of contacts. */
export const CONTACT_FIELDS_NOT_LOADED =
  'The fields of contacts could not be loaded. Check the credential, and that the service can be reached.';

/** A design may have no variables, and a notice of its own then says so. */
export const NO_VARIABLES_LISTED =
  'Nothing to fill in is listed. If the email has variables, check the credential, and that the service can be reached.';
