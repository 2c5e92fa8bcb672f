// Copies the screenshots of the browser tests to the pictures of the READMEs.
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
copyFileSync(at('artifacts/n8n-editor/3-email.png'), at('pictures/n8n-node.png'));
copyFileSync(at('artifacts/sandbox/readme.png'), at('pictures/inbox.png'));
copyFileSync(at('artifacts/n8n-editor/2-designs.png'), at('n8n-nodes/docs/designs.png'));
copyFileSync(at('artifacts/n8n-editor/4-contact.png'), at('n8n-nodes/docs/contact.png'));
