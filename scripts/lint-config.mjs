/**
 * The rules of `npm run lint`, as data. `lint.mjs` writes them to `.oxlintrc.json`, which is not in git. The names of packages and folders
 * are read from the tree, so a new folder needs no edit. `check-lint-rules.mjs` tests each boundary.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** The other packages that a package may import. Every other pair is forbidden: the server never meets the web client. */
const PACKAGES = {
  core: [],
  cli: ['client', 'core'],
  client: ['core'],
  extension: ['client', 'core', 'ui'],
  server: ['core'],
  ui: [],
  web: ['client', 'core', 'ui'],
};

/** The layers of a package: what else of it a folder may import. A folder that is not listed may import all of its package. */
const LAYERS = {
  'core/src/crypto': { may: [], because: 'core/crypto knows no product noun' },
  'core/src/domain': { may: ['crypto', 'texts'], because: 'the contract is written in terms of the domain' },
  'core/src/contract': { may: ['domain', 'texts'], because: 'the contract carries bytes, it does not open them' },
  'server/src/db': { may: ['platform'], because: 'db/ stores rows and knows no capability' },
  'server/src/platform': {
    may: ['db', 'http/context', 'app/config', 'app/version'],
    because: 'platform/ knows no capability',
  },
  'server/src/http': { may: ['db', 'platform', 'audit', 'app/config'], because: 'http/ knows none of the calls' },
  'client/src/transport': { may: ['texts'], because: 'transport/ knows no capability' },
  'client/src/keyring': {
    may: ['transport', 'texts', 'platform', 'kept-choice'],
    because: 'keyring/ knows no session',
  },
  'client/src/vault': { may: ['transport', 'texts', 'keyring'], because: 'vault/ knows no session' },
  'web/src/lib': { may: [], because: 'lib/ is below the features' },
};

/** Imports that only some code may use: a pattern of the import, and the sentence that the error shows. */
const BANS = {
  'node:crypto': ['^(node:)?crypto$', "Cryptography lives in core/crypto alone, Node's own in its *.node.ts files."],
  legacy: ['crypto/legacy/|^\\./legacy/', 'The L0 reader is for importers of old data; nothing else may reach it.'],
  node: ['^node:', 'client, core, extension, ui and web run in browsers: no Node modules here.'],
  salt: ['crypto/salt(\\.ts)?$', 'Pooled bytes are salts: core/crypto alone draws them.'],
  'core/crypto': ['@passwordbroker/core/crypto/', 'Only keyring/ touches keys and sealed bytes.'],
  'any crypto': ['/crypto/', 'The contract carries bytes, it does not open them.'],
  'above src': [
    '^\\.\\./\\.\\./',
    'ui is the design system, lib/ is below the features: they import nothing above src.',
  ],
  react: ['^react', 'Keys and the client live outside React.'],
  kysely: ['^kysely(/|$)', 'Queries live in repository.ts and db/.'],
  'better-sqlite3': ['^better-sqlite3(/|$)', 'Only db/ knows the engine.'],
  webauthn: [
    '^@simplewebauthn/browser',
    'Only client/src/browser/ and web/src/passkeys/ call WebAuthn: its answers hold a secret.',
  ],
  fastify: ['^fastify(/|$)', 'Only app/app.ts and http/ know the HTTP framework.'],
};
const BANNED_EVERYWHERE = ['node:crypto', 'legacy'];

/** Bans of some files, in addition to those of all files. The last matching line applies. */
const FILES = {
  'cli/src/**': [],
  'client/src/**': ['node', 'core/crypto', 'react', 'webauthn'],
  'client/src/browser/**': ['node', 'core/crypto', 'react'],
  'client/src/transport/**': ['node', 'core/crypto', 'react', 'webauthn'],
  'client/src/vault/**': ['node', 'core/crypto', 'react', 'webauthn'],
  'client/src/keyring/**': ['node', 'salt', 'react', 'webauthn'],
  'client/src/browser/keyring/**': ['node', 'salt', 'react'],
  'core/src/**': ['node'],
  'core/src/crypto/**': ['node'],
  'core/src/domain/**': ['node', 'salt'],
  'core/src/contract/**': ['node', 'any crypto'],
  'server/src/**': ['kysely', 'better-sqlite3', 'fastify'],
  'server/src/**/*repository.ts': ['better-sqlite3', 'fastify'],
  'server/src/app/app.ts': ['kysely', 'better-sqlite3'],
  'server/src/http/**': ['kysely', 'better-sqlite3'],
  'server/src/http/**/*repository.ts': ['better-sqlite3'],
  'server/src/platform/**': ['kysely', 'better-sqlite3', 'fastify'],
  'server/src/platform/**/*repository.ts': ['better-sqlite3', 'fastify'],
  'server/src/db/**': ['fastify'],
  'extension/src/**': ['node', 'core/crypto', 'webauthn'],
  'ui/src/**': ['node', 'above src'],
  'web/src/**': ['node', 'core/crypto', 'webauthn'],
  'web/src/passkeys/**': ['node', 'core/crypto'],
  'web/src/lib/**': ['node', 'core/crypto', 'webauthn', 'above src'],
};

/** Named only in client/src/browser/: the rest of the client also runs outside a page. */
const OUTSIDE_WORLD = `indexedDB localStorage sessionStorage XMLHttpRequest BroadcastChannel Worker navigator location
  caches self`.split(/\s+/);

/** Tools and tests import what they need, and print. */
const TOOLS_AND_TESTS = [
  '**/*.test.ts',
  '**/*.test.tsx',
  '**/testing/**',
  'e2e/**',
  'bench/**',
  'scripts/**',
  '**/vite.config.ts',
  'build/**',
];

const NO_MATH_RANDOM = {
  object: 'Math',
  property: 'random',
  message: 'Randomness comes from crypto.getRandomValues through core/crypto.',
};
const NO_SUBTLE = { object: 'crypto', property: 'subtle', message: 'Cryptography lives in core/crypto alone.' };

const NO_CREDENTIALS = {
  object: 'navigator',
  property: 'credentials',
  message: 'Only client/src/browser/ and web/src/passkeys/ call WebAuthn: its answers hold a secret.',
};

const ERRORS = `eqeqeq no-console no-eval no-implied-eval no-var prefer-const import/no-cycle
  typescript/no-explicit-any typescript/no-floating-promises typescript/await-thenable typescript/no-non-null-assertion
  typescript/consistent-type-imports typescript/ban-ts-comment typescript/switch-exhaustiveness-check
  react/no-danger react/rules-of-hooks react/jsx-no-target-blank`.split(/\s+/);
const RULES = {
  ...Object.fromEntries(ERRORS.map((rule) => [rule, 'error'])),
  'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
  'import/default': 'off',
  'jsx-a11y/no-autofocus': 'off',
  'jsx-a11y/prefer-tag-over-role': 'off',
  'react/incompatible-library': 'off',
  'typescript/no-misused-spread': 'off', // code here spreads a string to get its code points
  'no-restricted-properties': ['error', NO_MATH_RANDOM, NO_SUBTLE, NO_CREDENTIALS],
  'no-restricted-imports': restrictedImports([]),
};

/** The whole configuration of oxlint. */
export function lintConfig() {
  return {
    $schema: './node_modules/oxlint/configuration_schema.json',
    plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise'],
    categories: { correctness: 'error' },
    env: { es2024: true },
    ignorePatterns: ['**/dist/**', '**/.tsbuild/**', '**/fixtures/**'],
    rules: RULES,
    overrides: [
      ...Object.entries(FILES).map(([glob, bans]) => ({
        files: [glob],
        rules: { 'no-restricted-imports': restrictedImports(bans, glob) },
      })),
      {
        files: ['client/src/**'],
        rules: {
          'no-restricted-globals': [
            'error',
            ...OUTSIDE_WORLD.map((name) => ({ name, message: 'The outside world is handed in: see platform.ts.' })),
          ],
        },
      },
      { files: ['client/src/browser/**'], rules: { 'no-restricted-globals': 'off' } },
      {
        files: ['extension/src/**'],
        rules: {
          'no-restricted-globals': [
            'error',
            ...['browser', 'chrome'].map((name) => ({
              name,
              message: 'Only browser-api.ts names the API of extensions.',
            })),
          ],
        },
      },
      { files: ['extension/src/browser-api.ts', 'extension/src/page/**'], rules: { 'no-restricted-globals': 'off' } },
      { files: ['core/src/crypto/**'], rules: { 'no-restricted-properties': ['error', NO_MATH_RANDOM] } },
      { files: ['core/src/crypto/**/*.node.ts'], rules: { 'no-restricted-imports': 'off' } },
      {
        files: TOOLS_AND_TESTS,
        rules: {
          'no-restricted-imports': 'off',
          'no-restricted-globals': 'off',
          'no-restricted-properties': ['error', NO_MATH_RANDOM],
          'no-console': 'off',
          'typescript/no-non-null-assertion': 'off',
        },
      },
    ],
  };
}

/** Writes `.oxlintrc.json`, which oxlint and editors read. */
export function writeLintConfig(folder = ROOT) {
  writeFileSync(join(folder, '.oxlintrc.json'), `${JSON.stringify(lintConfig(), null, 2)}\n`);
}

/** The rule about imports for the files of a glob: its bans, then the boundaries of its package and of its layer. */
function restrictedImports(bans, glob = '') {
  const patterns = [...BANNED_EVERYWHERE, ...bans].map((ban) => ({ regex: BANS[ban][0], message: BANS[ban][1] }));
  const [name] = glob.split('/');
  if (name in PACKAGES) patterns.push(packageBoundary(name));
  const folder = Object.keys(LAYERS).find((layer) => glob.startsWith(`${layer}/`));
  if (folder !== undefined) patterns.push(layerBoundary(name, folder));
  return ['error', { patterns }];
}

/** Another package is imported by its name, and only if `PACKAGES` allows it. */
function packageBoundary(name) {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const others = workspaces.filter((other) => other !== name);
  const never = others.filter((other) => !PACKAGES[name].includes(other));
  const allowed = PACKAGES[name].map((other) => `@passwordbroker/${other}`).join(', ') || 'none';
  return {
    regex: `^@passwordbroker/(${never.join('|')})/|(^|/)(${others.join('|')})/src/`,
    message: `${name} never imports ${never.join(' or ')}. Packages that it may import, by name: ${allowed}.`,
  };
}

function layerBoundary(name, folder) {
  const { may, because } = LAYERS[folder];
  const isAllowedInPart = (path) => may.some((inside) => inside.startsWith(`${path}/`));
  const forbidden = modules(`${name}/src`)
    .filter((module) => `${name}/src/${module}` !== folder)
    .flatMap((module) => (isAllowedInPart(module) ? modules(`${name}/src/${module}`, `${module}/`) : [module]))
    .filter((module) => !may.includes(module));
  return {
    regex: `(^[./]*\\.\\./|@passwordbroker/${name}/|/${name}/src/)(${forbidden.join('|')})([/.]|$)`,
    message: `${because}: it may import ${may.join(', ') || 'nothing'} of the rest of ${name}/src.`,
  };
}

/** Importable names in a folder: its folders, and its files without extension. */
function modules(folder, prefix = '') {
  const names = readdirSync(join(ROOT, folder)).filter((name) => !name.startsWith('.'));
  return [...new Set(names.map((name) => `${prefix}${name.split('.')[0]}`))].sort();
}
