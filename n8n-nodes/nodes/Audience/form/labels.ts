import { CONTACT_FIELDS, type ContactField, type ValidationIssue } from 'audience-core/internal';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import type { Subject } from '../problem.js';

/** Further names of the interface, where no field of the form has them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  baseUrl: 'Base URL',
  apiKey: 'API Key',
  allowInsecure: 'Allow Unencrypted Connection',
  usedKeyStatus: 'Used Key Status',
};

/** The name of the argument of a model in what stands in a field. */
export function argumentIn(stored: unknown): string | undefined {
  const inside = typeof stored === 'object' && stored !== null && 'value' in stored ? stored.value : stored;
  return typeof inside === 'string' ? /\$fromAI\(\s*(['"`])(.+?)\1/i.exec(inside)?.[2] : undefined;
}

const CONTACT_LABELS = new Map<string, string>(
  Object.entries<ContactField>(CONTACT_FIELDS).map(([name, { label }]) => [name, label]),
);

/** The fields of one operation, by the labels in the form; for a model, by the arguments of its tool. */
export class Form {
  readonly #fields = new Map<string, INodeProperties>();

  /** @param filledByModel the parameters of a node that a model calls: it knows the names of its arguments. */
  constructor(
    fields: readonly INodeProperties[] = [],
    private readonly filledByModel?: INodeParameters,
  ) {
    for (const field of fields) this.#add(field, '');
  }

  get isForModel(): boolean {
    return this.filledByModel !== undefined;
  }

  /** What a message calls a field, by its path in the node's parameters: `options.idempotencyKey`. */
  subject(parameter: string): Subject {
    const argument = this.filledByModel && argumentIn(this.filledByModel[parameter]);
    if (argument !== undefined) return { kind: 'argument', name: argument };
    const label = this.#fields.get(parameter)?.displayName ?? CONTACT_LABELS.get(parameter);
    return { kind: 'field', name: label ?? OTHER_NAMES[parameter] ?? parameter };
  }

  field(parameter: string): INodeProperties | undefined {
    return this.#fields.get(parameter);
  }

  /** What a message calls the interface's field `path`. */
  subjectOf(path: ValidationIssue['path']): Subject {
    const [first = '', ...inside] = path.map(String);
    const { kind, name } = this.subject(first);
    return { kind, name: [name, ...inside].join(' > ') };
  }

  #add(field: INodeProperties, parent: string): void {
    this.#fields.set(parent + field.name, field);
    for (const option of field.options ?? []) {
      if ('displayName' in option && 'type' in option) this.#add(option, `${parent}${field.name}.`);
    }
  }
}
