/** Headers that are read as a field without a question. */
const CERTAIN: Readonly<Record<string, string>> = {
  email: 'email',
  emailaddress: 'email',
  firstname: 'firstName',
  lastname: 'lastName',
};

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

/** Headers that mean a part of the name only beside the other part: alone they may be the whole name. */
const PAIRED: Readonly<Record<string, string>> = {
  first: 'firstName',
  nombre: 'firstName',
  nome: 'firstName',
  nom: 'lastName',
  last: 'lastName',
};

const ALIASES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CERTAIN),
  ...Object.entries(LIKELY).flatMap(([field, lines]) =>
    lines.flatMap((line) => line.split(' ').map((name): [string, string] => [name, field])),
  ),
]);

/** A header without case, blanks, `-` and `_`, which is how headers are compared. */
export function bare(header: string): string {
  return header.normalize().toLowerCase().replaceAll(BLANKS, '');
}

const BLANKS = /[\s_-]+/g;
/** No certain header is longer, with its blanks. */
const LONGEST = 20;

/** The field that a header means without a question. */
export function certainField(header: string): string | undefined {
  if (header.length > LONGEST || !/^[ef\sl_-]/i.test(header)) return undefined;
  const name = bare(header);
  return Object.hasOwn(CERTAIN, name) ? CERTAIN[name] : undefined;
}

/** Whether a header usually means the email address. */
export function isEmailAlias(header: string): boolean {
  return ALIASES.get(plainOf(header)) === 'email';
}

/** The fields to suggest, by header; a field that several headers mean is not suggested. */
export function likelyFields(headers: readonly string[]): ReadonlyMap<string, string> {
  const byField = new Map<string, string[]>();
  const paired: [string, string][] = [];
  for (const header of headers) {
    const name = plainOf(header);
    const field = ALIASES.get(name);
    if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), header]);
    const half = Object.hasOwn(PAIRED, name) ? PAIRED[name] : undefined;
    if (half !== undefined) paired.push([half, header]);
  }
  for (const [field, header] of paired) {
    const other = field === 'firstName' ? 'lastName' : 'firstName';
    const isBeside = byField.has(other) || paired.some(([half]) => half === other);
    if (isBeside && !byField.has(field)) byField.set(field, [header]);
  }
  return new Map(
    [...byField].flatMap(([field, [header = '', ...others]]): [string, string][] => {
      if (others.length === 0) return [[header, field]];
      const certain = [header, ...others].filter((one) => certainField(one) !== undefined);
      return certain.length === 1 ? [[certain[0] ?? '', field]] : [];
    }),
  );
}

/** A header in small letters and digits, without accents. */
function plainOf(header: string): string {
  return header
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{Ll}\d]/gu, '');
}
