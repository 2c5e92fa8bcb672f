import { nodeProblem } from '../engine/node-version.js';
import { plainError } from './program.js';

// Imported before all else: an older Node would fail later, with an error about a missing function.
const tooOld = nodeProblem('pulumi-audience');
if (tooOld !== undefined) throw plainError(tooOld);
