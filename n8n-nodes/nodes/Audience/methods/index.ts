export * as credentialTest from './credentialTest.js';
export * as listSearch from './listSearch.js';
export * as loadOptions from './loadOptions.js';
export * as resourceMapping from './resourceMapping.js';
