import { CONTACT_FIELDS } from 'audience-core/contract';
import type { ContactField, ValidationIssue } from 'audience-core/contract';
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

/** The fields of one operation by the names that people see. */
export class Form {
  readonly #labels = new Map<string, string>();

  constructor(fields: readonly INodeProperties[] = []) {
    for (const field of fields) this.#add(field, '');
  }

  /** The label of a field, by its place in the node's parameters: `options.timeout`. */
  label(parameter: string): string {
    return this.#labels.get(parameter) ?? parameter;
  }

  /** The quoted name of what the interface calls `path`. */
  nameOf = (path: ValidationIssue['path']): string => {
    const [first, ...inside] = path.map(String);
    if (first === undefined) return 'it';
    return inside.length === 0
      ? `'${this.nameOfField(first)}'`
      : `'${this.nameOfField(first)}' > '${inside.join('.')}'`;
  };

  /** The label of what the interface calls `name`, without quotes. */
  nameOfField(name: string): string {
    return this.#labels.get(name) ?? CONTACT_LABELS.get(name) ?? OTHER_NAMES[name] ?? name;
  }

  #add(field: INodeProperties, parent: string): void {
    this.#labels.set(parent + field.name, field.displayName);
    for (const option of field.options ?? []) {
      if ('displayName' in option && 'type' in option) this.#add(option, `${parent}${field.name}.`);
    }
  }
}
