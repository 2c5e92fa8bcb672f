import { CONTACT_FIELDS } from 'audience-core/internal';
import type { ContactField, ValidationIssue } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';

/** Further names of the interface, where no field of the form has them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  identifier: 'Contact',
  baseUrl: 'Base URL',
  apiKey: 'API Key',
  allowInsecure: 'Allow Unencrypted Connection',
};

const CONTACT_LABELS = new Map<string, string>(
  Object.entries<ContactField>(CONTACT_FIELDS).map(([name, { label }]) => [name, label]),
);

/** The fields of one operation, by the labels in the form. */
export class Form {
  readonly #fields = new Map<string, INodeProperties>();

  constructor(fields: readonly INodeProperties[] = []) {
    for (const field of fields) this.#add(field, '');
  }

  /** The label of a field, by its path in the node's parameters: `options.timeout`. */
  label(parameter: string): string {
    return this.#fields.get(parameter)?.displayName ?? parameter;
  }

  /** Default and bounds of a number. */
  numberRule(parameter: string): { unset: number; min: number; max: number } {
    const { typeOptions, default: unset } = this.#fields.get(parameter) ?? {};
    const { minValue: min = -Infinity, maxValue: max = Infinity } = typeOptions ?? {};
    return { unset: Number(unset), min, max };
  }

  /** What a field has from the start. */
  unset(parameter: string): unknown {
    return this.#fields.get(parameter)?.default;
  }

  /** What a person can choose in a drop-down. */
  optionNames(parameter: string): string[] {
    const { options = [] } = this.#fields.get(parameter) ?? {};
    return options.flatMap((option) => ('value' in option ? [`'${option.name}'`] : []));
  }

  /** The quoted label of the interface's field `path`. */
  nameOf = (path: ValidationIssue['path']): string => {
    const [first, ...inside] = path.map(String);
    if (first === undefined) return 'it';
    return inside.length === 0
      ? `'${this.nameOfField(first)}'`
      : `'${this.nameOfField(first)}' > '${inside.join('.')}'`;
  };

  /** The label of the interface's field `name`, without quotes. */
  nameOfField(name: string): string {
    return this.#fields.get(name)?.displayName ?? CONTACT_LABELS.get(name) ?? OTHER_NAMES[name] ?? name;
  }

  #add(field: INodeProperties, parent: string): void {
    this.#fields.set(parent + field.name, field);
    for (const option of field.options ?? []) {
      if ('displayName' in option && 'type' in option) this.#add(option, `${parent}${field.name}.`);
    }
  }
}
