import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

const ownLibs = ['type:contracts', 'type:core', 'type:platform', 'type:adapter'];

/** Who may import what (docs/explanation/architecture.md); the tags stand in each package.json under `nx.tags`. */
const depConstraints = [
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [], allowedExternalImports: ['zod'] },
  { sourceTag: 'type:core', onlyDependOnLibsWithTags: ['type:contracts', 'type:core'], allowedExternalImports: [] },
  { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform'] },
  { sourceTag: 'type:adapter', onlyDependOnLibsWithTags: ownLibs },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ownLibs },
  { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ownLibs },
  { sourceTag: 'type:composition', onlyDependOnLibsWithTags: ['*'] },
];

/** A spec may also import the testing lib and test tools from npm; whatever else its room may not import, it may not either. */
const specConstraints = depConstraints.map(({ sourceTag, onlyDependOnLibsWithTags: tags }) => ({
  sourceTag,
  onlyDependOnLibsWithTags: tags.includes('*') ? tags : [...tags, 'type:testing'],
}));

/** The scripts that run on a bare clone belong to no package; the command line uses them too. */
const localScripts = String.raw`^(\.\./)+deploy/local/[a-z-]+\.mjs$`;

function boundaries(constraints, allow = []) {
  return ['error', { allow, depConstraints: constraints, checkDynamicDependenciesExceptions: ['.*'] }];
}

/** How long things may get (STYLE: a median function has some ten lines). */
const limits = {
  'max-lines': ['error', { max: 300 }],
  'max-lines-per-function': ['error', { max: 50, skipComments: true }],
  'max-params': ['error', 3],
  'max-depth': ['error', 3],
  complexity: ['error', 12],
  'no-else-return': 'error',
};

const specs = ['**/*.spec.ts', '**/*.features.ts'];
const core = ['libs/transaction', 'libs/outcome', 'libs/nlu', 'libs/presentation'].map((lib) => `${lib}/src/**/*.ts`);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.latch/**', '.nx/**'] },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    plugins: { '@nx': nx, '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: ['./tsconfig.check.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...limits,
      '@nx/enforce-module-boundaries': boundaries(depConstraints),
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'One door per lib: name each export.' },
        { selector: 'TSEnumDeclaration', message: 'Use an `as const` object and a union.' },
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Read the environment through @latch/config, once, in config.ts.',
        },
      ],
    },
  },
  {
    files: ['libs/config/src/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['apps/cli/src/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(depConstraints, [localScripts]) },
  },
  {
    // Nest needs the class itself as a value for its injection metadata, and a type import would erase it.
    files: [
      'apps/**/*.ts',
      ...['messaging', 'observability', 'event-store', 'http', 'read-api'].map((lib) => `libs/${lib}/**/*.ts`),
    ],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // The pure core: no Node I/O, no clock, no chance. Time, ids and random numbers arrive as inputs.
    files: core,
    ignores: specs,
    rules: {
      'no-restricted-imports': ['error', { patterns: ['node:*', 'fs', 'path', 'crypto'] }],
      'no-restricted-globals': [
        'error',
        ...['process', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'crypto', 'Buffer'],
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is an input.' },
        { object: 'Math', property: 'random', message: 'Chance is an input.' },
      ],
    },
  },
  {
    files: specs,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(specConstraints, [localScripts]),
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 600 }],
      'max-params': 'off',
    },
  },
  {
    // The console's page runs in a browser. Text goes in as text: whatever parses HTML is forbidden.
    files: ['apps/console/page/**/*.js', 'apps/console/src/fixtures/**/*.js'],
    rules: {
      ...limits,
      'no-unused-vars': 'error',
      'prefer-const': 'error',
      'no-console': 'error',
      'no-eval': 'error',
    },
  },
  {
    files: ['apps/console/page/**/*.js'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'setHTMLUnsafe', 'write', 'srcdoc'].map((property) => ({
          property,
          message: 'Text goes into the page as text.',
        })),
      ],
    },
  },
  {
    // What runs on a bare clone, before anything is installed or built: plain JavaScript.
    files: ['deploy/**/*.mjs', '*.mjs'],
    rules: { ...limits, 'no-unused-vars': 'error', 'prefer-const': 'error' },
  },
);
