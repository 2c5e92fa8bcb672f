import type { INodeProperties, ResourceMapperTypeOptionsBase } from 'n8n-workflow';

// What the editor shows wherever there are no fields to show, with a link to try again: it is one text for a list
// that could not be read and for one that is empty, so it must be true of each that can be.

/** There are always fields of contacts. */
const CONTACT_FIELDS_NOT_LOADED =
  'The fields of contacts are not loaded yet: press Retry. If that does not help, check the credential, and that the service can be reached.';

/** A design may have no variables, and a notice of its own then says so. */
const NO_VARIABLES_LISTED =
  'No variables are listed. If a note below says why, that is all; otherwise check the credential, and that the service can be reached.';

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
    noFieldsError: NO_VARIABLES_LISTED,
  });
}

function mapper(
  { valuesLabel, method, loadOptionsDependsOn, ...texts }: MapperTexts,
  options: Pick<ResourceMapperTypeOptionsBase, 'fieldWords' | 'addAllFields' | 'noFieldsError'>,
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
