import type { Consent } from './consent.js';

/** Where the rows are, and how they are read: inputs of `Contacts`. */
export interface ReadOptions {
  readonly file?: string | undefined;
  readonly contacts?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly columns?: Readonly<Record<string, string | null>> | undefined;
  readonly consent?: Consent | undefined;
  readonly nullValues?: readonly string[] | undefined;
  readonly dateFormat?: Readonly<Record<string, string>> | undefined;
  readonly headerRow?: number | undefined;
  readonly sheet?: string | undefined;
  readonly encoding?: string | undefined;
  readonly emptyCells?: 'ignore' | 'clear' | undefined;
  readonly invalidRows?: 'fail' | 'skip' | undefined;
  /** Where it is set, rows cause mail, so that a file has to say who wants it. */
  readonly createWithEvent?: unknown;
}
