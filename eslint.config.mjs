import js from '@eslint/js';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** The source of another package by a path. Packages import each other by name. */
const BY_PATH = {
  regex: '^(\\.\\./)+(shared|pulumi-provider|n8n-nodes|sandbox/src)/',
  message: 'Import a package by its name.',
};

/** Which package may import which: shared none; the two products shared; tests all, by package name. */
const mayNotImport = (files, packages, why) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [BY_PATH, ...packages.map((name) => ({ regex: `^${name}(/|$)`, message: why }))] },
    ],
  },
});

/** Which folder of a package may import which, types included: only those before it. */
const layers = (root, ...folders) =>
  folders.slice(0, -1).map((folder, index) => ({
    files: [`${root}/${folder}/**/*.ts`],
    ignores: ['**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(${folders.slice(index + 1).join('|')})/`,
              message: `The order of folders is ${folders.join(', ')}: each may import those before it.`,
            },
          ],
        },
      ],
    },
  }));

export default tseslint.config(
  {
    ignores: ['**/dist/', '**/node_modules/', 'artifacts/', 'reports/', '.stryker-tmp/', '.wireit/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,mts}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'no-duplicate-imports': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: [
      '{shared,pulumi-provider}/src/**/*.ts',
      'n8n-nodes/nodes/**/*.ts',
      'test/sandbox/{src,inbox/src}/**/*.ts',
    ],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60 }] },
  },
  {
    files: ['**/*.{ts,mts}'],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.mts'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.mts'] },
      // Sources import './x.js', which is './x.ts'.
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.mts'],
          extensionAlias: { '.js': ['.ts'], '.mjs': ['.mts'] },
        }),
      ],
    },
    rules: { 'import-x/no-cycle': ['error', { ignoreExternal: true }] },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        module: 'writable',
        require: 'readonly',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
      },
    },
  },
  mayNotImport(
    ['shared/**/*.ts'],
    ['pulumi-audience', 'n8n-nodes-audience', 'audience-sandbox', '@pulumi', 'n8n-workflow', 'n8n-core'],
    'shared knows nobody: no host, no product, no sandbox.',
  ),
  mayNotImport(
    ['pulumi-provider/{src,testing,scripts}/**/*.ts'],
    ['n8n-nodes-audience', 'audience-sandbox', 'n8n-workflow', 'n8n-core'],
    'The Pulumi provider imports audience-core and never the other product.',
  ),
  mayNotImport(
    ['pulumi-provider/src/{contact-file,messages,resources}/**/*.ts'],
    ['@pulumi', 'n8n-nodes-audience', 'audience-sandbox', 'n8n-workflow', 'n8n-core'],
    'A resource is free of its host.',
  ),
  layers(
    'pulumi-provider/src',
    'contact-file',
    'messages',
    'resources',
    'functions',
    'engine',
    'dynamic',
    'plugin',
    'cli',
  ),
  layers(
    'pulumi-provider/src/resources',
    'contact-record',
    'contact',
    'contacts',
    'functions',
    'engine',
    'dynamic',
    'plugin',
    'cli',
  ),
  mayNotImport(
    ['n8n-nodes/{nodes,credentials}/**/*.ts'],
    ['pulumi-audience', 'audience-sandbox', '@pulumi'],
    'The n8n node imports audience-core and never the other product.',
  ),
  mayNotImport(
    ['test/sandbox/{src,inbox}/**/*.ts'],
    ['pulumi-audience', 'n8n-nodes-audience', '@pulumi', 'n8n-workflow', 'n8n-core'],
    'The sandbox imports audience-core and neither product.',
  ),
  mayNotImport(['test/{integration,second-opinion}/**/*.ts'], [], 'Tests import packages by name.'),
  layers('shared/src', 'contract', 'http', 'client', 'cli'),
  {
    files: ['shared/src/*.ts'],
    ignores: ['**/*.test.ts', 'shared/src/{exports,fetch,index,internal}.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^\\./(http|client|cli)/', message: 'What all folders use imports the contract alone.' },
          ],
        },
      ],
    },
  },
  layers(
    'n8n-nodes/nodes/Audience',
    'messages',
    'form',
    'host',
    'service',
    'item',
    'once-only',
    'run',
    'actions',
    'methods',
  ),
  layers(
    'test/sandbox/src',
    'account',
    'mail',
    'service',
    'seed',
    'faults',
    'find',
    'http',
    'control',
    'pull',
    'cli',
  ),
);
