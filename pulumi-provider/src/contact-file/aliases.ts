/** Headers that are read as a field without a question, in the form of {@link bare}. */
export const CERTAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({ email: 'email', emailaddress: 'email', firstname: 'firstName', lastname: 'lastName' }),
);

/** Headers that usually mean a field: they are suggested, and never read without a question. */
const LIKELY: Readonly<Record<'email' | 'firstName' | 'lastName', readonly string[]>> = {
  email: [
    'mail emailid emailaddr mailaddress emailaddress1 email1value primaryemail primaryemailaddress emailprimary',
    'subscriberemail useremail customeremail contactemail memberemail buyeremail billingemail attendeeemail',
    'registrantemail emailadresse mailadresse epost epostadresse adressemail adresseemail courriel adressecourriel',
    'adresseelectronique correo correoelectronico direcciondecorreo direcciondecorreoelectronico',
    'direcciondeemail indirizzoemail indirizzomail postaelettronica mailadres emailadres enderecodeemail',
    'correioeletronico emaildocliente',
  ],
  firstName: [
    'givenname forename fname firstnames namefirst subscriberfirstname customerfirstname billingfirstname vorname',
    'prenom voornaam primeironome primernombre',
  ],
  lastName: [
    'surname familyname lname lastnames namelast subscriberlastname customerlastname billinglastname nachname',
    'familienname apellido apellidos cognome achternaam sobrenome ultimonome nomdefamille',
  ],
};

const ALIASES: ReadonlyMap<string, string> = new Map([
  ...CERTAIN,
  ...Object.entries(LIKELY).flatMap(([field, lines]) =>
    lines.flatMap((line) => line.split(' ').map((name): [string, string] => [name, field])),
  ),
]);

/** A header without case, blanks, `-` and `_`, which is how headers are compared. */
export function bare(header: string): string {
  return header
    .normalize()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}

/** What the program says of headers: found as a header is written, else without case, blanks, `-` and `_`. */
export class ByHeader<Value> {
  readonly entries: readonly (readonly [header: string, value: Value])[];
  private readonly byText: ReadonlyMap<string, readonly [header: string, value: Value]>;

  constructor(given: Readonly<Record<string, Value>>) {
    const entries = Object.entries(given).map(([header, value]) => [header.trim(), value] as const);
    this.entries = entries;
    this.byText = new Map([
      ...entries.map((entry) => [bare(entry[0]), entry] as const),
      ...entries.map((entry) => [entry[0], entry] as const),
    ]);
  }

  /** The header as the program writes it, with its value. */
  find(header: string): readonly [header: string, value: Value] | undefined {
    return this.byText.get(header) ?? this.byText.get(bare(header));
  }
}

/** Whether a column is read: languages without `null` in a map write an empty text. */
export function isMapped(field: string | null | undefined): field is string {
  return field !== null && field !== undefined && field !== '';
}

/** The field that a header usually means. */
export function aliasOf(header: string): string | undefined {
  const letters = header
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{Ll}\d]/gu, '');
  return ALIASES.get(letters);
}

/** The fields to suggest, by header; a field that several headers mean is not suggested. */
export function likelyFields(headers: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [field, all] of Map.groupBy(headers, aliasOf)) {
    const certain = all.filter((header) => CERTAIN.has(bare(header)));
    const [only, ...others] = certain.length > 0 ? certain : all;
    if (field !== undefined && only !== undefined && others.length === 0) fields.set(only, field);
  }
  return fields;
}
