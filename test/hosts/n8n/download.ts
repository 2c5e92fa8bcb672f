// Installs n8n for the tests with a whole one, so that other work can go on meanwhile.
import { installN8n } from './install.js';

installN8n(console.log).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
