// State keeps the text of this function, twice per resource. So it is short, and loads the rest by the package's name.
/** @type {import('@pulumi/pulumi').dynamic.ResourceProvider} */
const provider = {
  configure(request) {
    return Object.assign(this, require('pulumi-audience/handlers').contact).configure(request);
  },
};
module.exports = provider;
