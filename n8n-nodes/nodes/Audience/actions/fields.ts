import type { INodeProperties, ResourceMapperTypeOptionsBase } from 'n8n-workflow';

const DEFAULTS = { string: '', number: 0, boolean: false, notice: '', json: '{}' } as const;

type More = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;

/** A field of the form. */
export function field(
  type: keyof typeof DEFAULTS,
  displayName: string,
  name: string,
  more: More = {},
): INodeProperties {
  return { displayName, name, type, default: DEFAULTS[type], ...more };
}

/** A drop-down; its names by their values, in the order of the list. */
export function choice(
  displayName: string,
  name: string,
  initial: string,
  names: Readonly<Record<string, string | readonly [name: string, description: string]>>,
  more: More = {},
): INodeProperties {
  const options = Object.entries(names).map(([value, given]) =>
    typeof given === 'string' ? { name: given, value } : { name: given[0], value, description: given[1] },
  );
  return { displayName, name, type: 'options', options, default: initial, ...more };
}

/** The two ways to give names and values. */
export const SPECIFY = { fields: 'Using Fields Below', json: 'Using JSON' } as const;

/** A resource mapper; unless said otherwise, it can map the input automatically. */
export function mapper(
  displayName: string,
  name: string,
  options: Omit<ResourceMapperTypeOptionsBase, 'mode'> & { readonly resourceMapperMethod: string },
  { typeOptions, ...more }: More,
): INodeProperties {
  const resourceMapper = { mode: 'add', supportAutoMap: true, valuesLabel: displayName, ...options } as const;
  return {
    displayName,
    name,
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: { ...typeOptions, resourceMapper },
    ...more,
  };
}
