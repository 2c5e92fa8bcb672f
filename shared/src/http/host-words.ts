/** What an error calls things and advises, where that depends on who reads it. */
export interface HostWords {
  /** Name of a contact's `userId`. */
  readonly userId: string;
  /** What to do where the certificate of the service is of an authority of one's own. */
  readonly ownAuthority: string;
  /** What to do where a call's turn did not come in time; a sentence. */
  readonly moreTime: string;
  /** Whether the system's code, such as `ECONNREFUSED`, says anything to the reader. */
  readonly systemCodes: boolean;
  /** How to find out whether an unclear email or event was sent, by whether this client made its key; may be empty. */
  readonly findOut: (isMinted: boolean) => string;
}

/** For programs that use this package. */
const PROGRAM_WORDS: HostWords = {
  userId: 'userId',
  ownAuthority: "give an 'httpsAgent' with its certificate as 'ca'",
  moreTime: "Give the call more time ('deadlineMs'), or raise the limits of this client.",
  systemCodes: true,
  findOut: (isMinted) =>
    isMinted
      ? "To find out, repeat it within 24 hours with this error's idempotencyKey and ifKeyIsUsed: 'sent-before'."
      : "Check whether it was sent. If its key belongs to no other message, repeat it within 24 hours with ifKeyIsUsed: 'sent-before'.",
};

/** The words of a host; those for programs where it gives none. */
export function hostWords(given: Partial<HostWords> = {}): HostWords {
  return { ...PROGRAM_WORDS, ...given };
}
