// Keeps what this version writes, before a release: npx tsx test/integration/upgrades/save.ts
import { version } from 'pulumi-audience/package.json';
import { save } from './saved-version.js';

void save(version);
