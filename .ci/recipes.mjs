// Plays the recipes of CONTRIBUTING.md: makes the first step of a change in a copy of the last commit, and looks whether
// the compiler or a test asks for each of the others. `node .ci/recipes.mjs`, or with a part of a recipe's name.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RECIPES } from './recipes/recipes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = path.join(mkdtempSync(path.join(tmpdir(), 'audience-recipes-')), 'clone');
const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
let failed = 0;
let passed = 0;

try {
  cloneWithModules();
  must('npm run build');
  for (const [name, stages] of Object.entries(RECIPES)) {
    if (!name.includes(process.argv[2] ?? '')) continue;
    for (const stage of stages) play(name, stage);
    must('git checkout --quiet -- . && git clean --quiet --force -d -e node_modules');
  }
} finally {
  if (process.env.KEEP === undefined) rmSync(path.dirname(copy), { recursive: true, force: true });
  else console.log(copy);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Changes files, runs commands that have to fail, and looks for what they have to ask for. */
function play(name, { edits, run, asks }) {
  for (const [file, from, to] of edits) {
    const target = path.join(copy, file);
    mkdirSync(path.dirname(target), { recursive: true });
    const text = from === undefined ? '' : readFileSync(target, 'utf8');
    if (from !== undefined && !text.includes(from)) throw new Error(`${file} no longer has: ${from}`);
    writeFileSync(target, from === undefined ? to : text.replace(from, () => to));
  }
  const said = run.map((command) => shell(command).said).join('\n');
  for (const [step, pattern] of Object.entries(asks)) {
    const isAsked = pattern.test(said);
    console.log(`  ${isAsked ? 'ok     ' : 'FAILED '} ${name}: ${step}`);
    if (isAsked) passed += 1;
    else failed += 1;
    if (!isAsked) console.log(said.slice(-4_000));
  }
}

function shell(command) {
  const bin = path.join(copy, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, FORCE_COLOR: '0', CI: '' };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  });
  // eslint-disable-next-line no-control-regex -- colours begin with one
  return { status, said: (stdout + stderr).replace(/\x1b\[[0-9;]*m/g, '') };
}

function must(command) {
  const { status, said } = shell(command);
  if (status !== 0) throw new Error(`${command}\n${said}`);
}

/** The packages of the copy see each other, and the modules that are installed beside this script. */
function cloneWithModules() {
  spawnSync('git', ['clone', '--quiet', root, copy], { stdio: 'inherit' });
  const own = new Map(
    workspaces.map((one) => [
      JSON.parse(readFileSync(path.join(root, one, 'package.json'), 'utf8')).name,
      one,
    ]),
  );
  for (const folder of ['.', ...workspaces]) {
    const modules = path.join(root, folder, 'node_modules');
    const target = path.join(copy, folder, 'node_modules');
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(modules)) {
      symlinkSync(
        own.has(name) ? path.join(copy, own.get(name)) : path.join(modules, name),
        path.join(target, name),
      );
    }
  }
  symlinkSync(path.join(root, '.ci/tools/node_modules'), path.join(copy, '.ci/tools/node_modules'));
}
