// Classes and functions for JavaScript, made of the plugin's schema when a program loads them: what `pulumi package add`
// generates, less its types. A contact depends on every property that the program has declared before, as a program in
// any language says with dependsOn.
const path = require('node:path');
const pulumi = require('@pulumi/pulumi');

const root = path.dirname(require.resolve('pulumi-audience/package.json'));
const schema = require(path.join(root, 'dist/plugin/schema.json'));

const nameOf = (token) => token.split(':').at(-1);
const declared = [];

/** Dates are text in ISO 8601, as most languages have no type for them that a provider could take. */
function asText(value) {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (pulumi.Output.isInstance(value)) return value.apply(asText);
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null || pulumi.Resource.isInstance(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asText(inner)]));
}

function resourceClass(token, { aliases, properties, inputProperties }) {
  const undeclared = Object.fromEntries(Object.keys(properties).map((name) => [name, undefined]));
  const secrets = Object.keys(properties).filter((name) => properties[name].secret);
  return class extends pulumi.CustomResource {
    constructor(name, args, opts = {}) {
      const given = asText({ ...args });
      for (const input of Object.keys(inputProperties)) {
        if (inputProperties[input].secret && given[input] !== undefined)
          given[input] = pulumi.secret(given[input]);
      }
      const own = { aliases, additionalSecretOutputs: secrets };
      if (token !== 'audience:index:ContactProperty' && declared.length > 0) own.dependsOn = [...declared];
      super(token, name, { ...undeclared, ...given }, pulumi.mergeOptions(own, opts));
      if (token === 'audience:index:ContactProperty') declared.push(this);
    }
  };
}

exports.Provider = class extends pulumi.ProviderResource {
  constructor(name, args, opts) {
    const texts = Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    super(schema.name, name, { ...Object.fromEntries(texts), apiKey: pulumi.secret(args.apiKey) }, opts);
  }
};
for (const [token, resource] of Object.entries(schema.resources)) {
  exports[nameOf(token)] = resourceClass(token, resource);
}
for (const token of Object.keys(schema.functions)) {
  exports[nameOf(token)] = (args = {}, opts) => pulumi.runtime.invoke(token, args, opts);
  exports[`${nameOf(token)}Output`] = (args = {}, opts) => pulumi.runtime.invokeOutput(token, args, opts);
}
/** A class like `Contact`, for a plugin that does nothing. */
exports.Nothing = resourceClass('noop:index:Nothing', schema.resources['audience:index:Contact']);
