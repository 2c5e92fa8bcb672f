/**
 * Texts of Pulumi's provider protocol that stand for what JSON has no form for. They are part of the protocol, and are
 * written here so that a plugin needs nothing else of Pulumi's SDK; a test compares them with it.
 */

/** A value that is not known yet. */
export const UNKNOWN_TEXT = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Key under which an object tells that it stands for something else. */
export const SIGNATURE_KEY = '4dabf18193072939515e22adb298388d';

/** Signature of a secret: the value itself is under `value`. */
export const SECRET_SIGNATURE = '1b47061264138c4ac30d75fd1eb44270';
