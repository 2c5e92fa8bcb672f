import type { INodeProperties, ResourceMapperTypeOptionsBase } from 'n8n-workflow';

/** The editor shows it whenever there are no fields: while they load, if that fails, and if there are none. */
const CONTACT_FIELDS_NOT_LOADED = 'No fields loaded. Press Retry, or check the credential.';
const VARIABLES_NOT_LOADED =
  'No variables loaded. If no note below says why, check the credential, then refresh the list.';

type MapperTexts = Pick<INodeProperties, 'displayName' | 'name' | 'description'> & {
  readonly valuesLabel: string;
  /** Name of the method that lists the fields. */
  readonly method: string;
  readonly loadOptionsDependsOn?: string[];
};

/** A resource mapper of contact fields: those that are wanted are added. */
export function contactFieldsMapper(texts: MapperTexts): INodeProperties {
  return mapper(texts, {
    fieldWords: { singular: 'field', plural: 'fields' },
    addAllFields: false,
    noFieldsError: CONTACT_FIELDS_NOT_LOADED,
  });
}

/** A resource mapper of the variables of an email: all of them are there. */
export function variablesMapper(texts: MapperTexts): INodeProperties {
  return mapper(texts, {
    fieldWords: { singular: 'variable', plural: 'variables' },
    addAllFields: true,
    // A variable that is new or gone is seen when the node is opened.
    refreshStaleSchemaOnOpen: true,
    noFieldsError: VARIABLES_NOT_LOADED,
  });
}

function mapper(
  { valuesLabel, method, loadOptionsDependsOn, ...texts }: MapperTexts,
  options: Omit<ResourceMapperTypeOptionsBase, 'mode'>,
): INodeProperties {
  return {
    ...texts,
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: {
      ...(loadOptionsDependsOn === undefined ? {} : { loadOptionsDependsOn }),
      resourceMapper: {
        resourceMapperMethod: method,
        mode: 'add',
        valuesLabel,
        supportAutoMap: true,
        ...options,
      },
    },
  };
}
