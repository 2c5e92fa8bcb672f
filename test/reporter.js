/** Ends every jest run with the plain line that scripts and people can read: `N passed, N failed`. */
module.exports = class PlainTotals {
  onRunComplete(_contexts, results) {
    // A suite that could not even start holds no tests, yet it has failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed${tail}\n`);
  }
};
