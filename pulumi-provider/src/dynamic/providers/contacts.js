// The text of this function is kept in state, twice per resource. So it is short: it brings in the rest when the
// provider process configures it, by the package's name, so that it works wherever the package is installed.
/** @type {import('@pulumi/pulumi').dynamic.ResourceProvider} */
const provider = {
  configure(request) {
    return Object.assign(this, require('pulumi-audience/handlers').contacts).configure(request);
  },
};
module.exports = provider;
