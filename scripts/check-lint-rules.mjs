/**
 * Tests each rule of `lint-config.mjs`: writes a small tree with one violation per rule and with allowed code, lints it,
 * and fails if a violation is not reported or allowed code is.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeLintConfig } from './lint-config.mjs';
import { ROOT, tool } from './run.mjs';

/** Folders of the server's capabilities, and a new one: lower layers may not import any of them. */
const CAPABILITIES = readdirSync(join(ROOT, 'server/src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['app', 'db', 'http', 'platform', 'testing'].includes(entry.name))
  .map((entry) => entry.name);
const BELOW = {
  http: { allowed: ['audit'], words: 'none of the calls' },
  platform: { allowed: [], words: 'platform/ knows no capability' },
  'db/migrations': { allowed: [], words: 'stores rows' },
};

/** Libraries of the server, with words of the error, and the files that may import them. */
const LIBRARIES = { kysely: 'repository.ts and db/', 'better-sqlite3': 'Only db/', fastify: 'HTTP framework' };
const MAY_IMPORT = {
  'server/src/entries/libraries.ts': [],
  'server/src/entries/libraries-repository.ts': ['kysely'],
  'server/src/app/app.ts': ['fastify'],
  'server/src/http/libraries.ts': ['fastify'],
  'server/src/http/libraries-repository.ts': ['kysely', 'fastify'],
  'server/src/platform/libraries.ts': [],
  'server/src/platform/libraries-repository.ts': ['kysely'],
  'server/src/db/libraries.ts': ['kysely', 'better-sqlite3'],
};

/** [file, content, words that the error must contain] */
const VIOLATIONS = [
  [
    'core/src/crypto/a.ts',
    "import { can } from '../domain/policy.ts';\nexport const a = can;\n",
    'knows no product noun',
  ],
  [
    'core/src/crypto/b.ts',
    "import { createHash } from 'node:crypto';\nexport const b = createHash;\n",
    'in its *.node.ts files',
  ],
  [
    'core/src/domain/c.ts',
    "import { me } from '../contract/session.ts';\nexport const c = me;\n",
    'written in terms of the domain',
  ],
  ['core/src/domain/d.ts', "import { x } from '../crypto/legacy/value.ts';\nexport const d = x;\n", 'L0 reader'],
  [
    'core/src/domain/e.ts',
    "import { readFileSync } from 'node:fs';\nexport const e = readFileSync;\n",
    'run in browsers',
  ],
  [
    'core/src/domain/ea.ts',
    "import { randomSalt } from '../crypto/salt.ts';\nexport const e = randomSalt;\n",
    'Pooled bytes are salts',
  ],
  [
    'client/src/keyring/na.ts',
    "import { randomSalt } from '@passwordbroker/core/crypto/salt';\nexport const n = randomSalt;\n",
    'Pooled bytes are salts',
  ],
  [
    'ui/src/pd.ts',
    "import { plugins } from '../../web/vite.config.ts';\nexport const p = plugins;\n",
    'nothing above src',
  ],
  [
    'web/src/lib/pe.ts',
    "import { plugins } from '../../vite.config.ts';\nexport const p = plugins;\n",
    'nothing above src',
  ],
  ['core/src/contract/pf.ts', "import { a } from './crypto/a.ts';\nexport const p = a;\n", 'does not open them'],
  ['core/src/domain/f.ts', 'export const f = Math.random();\n', 'core/crypto'],
  ['core/src/domain/g.ts', 'export const g = crypto.subtle;\n', 'core/crypto alone'],
  [
    'core/src/contract/h.ts',
    "import { seal } from '../crypto/seal.ts';\nexport const h = seal;\n",
    'does not open them',
  ],
  [
    'server/src/db/l.ts',
    "import { createHash } from 'node:crypto';\nexport const l = createHash;\n",
    'core/crypto alone',
  ],
  [
    'web/src/fields/m.ts',
    "import { seal } from '@passwordbroker/core/crypto/seal';\nexport const m = seal;\n",
    'Only keyring/',
  ],
  ['client/src/keyring/n.ts', "import { useState } from 'react';\nexport const n = useState;\n", 'outside React'],
  ...['http', 'platform', 'db/migrations'].flatMap((folder) => {
    const { allowed, words } = BELOW[folder];
    return CAPABILITIES.filter((name) => !allowed.includes(name)).map((name) => [
      `server/src/${folder}/${name}.ts`,
      `import { x } from '${folder.includes('/') ? '../../' : '../'}${name}/x.ts';\nexport const y = x;\n`,
      words,
    ]);
  }),
  [
    'server/src/entries/if.ts',
    "import { Button } from '@passwordbroker/web/ui/button';\nexport const x = Button;\n",
    'server never imports cli or client or extension or ui or web',
  ],
  [
    'web/src/fields/m1.ts',
    "import { openDatabase } from '../../../server/src/db/open.ts';\nexport const m1 = openDatabase;\n",
    'web never imports cli or extension or server',
  ],
  ...['client/src/vault', 'client/src/keyring', 'extension/src/popup', 'web/src/fields', 'web/src/lib', 'ui/src'].map(
    (folder) => [
      `${folder}/m2.ts`,
      "import { readFileSync } from 'node:fs';\nexport const m2 = readFileSync;\n",
      'run in browsers',
    ],
  ),
  [
    'web/src/lib/m3.ts',
    "import { seal } from '@passwordbroker/core/crypto/seal';\nexport const m3 = seal;\n",
    'Only keyring/',
  ],
  [
    'ui/src/m4.ts',
    "import { me } from '@passwordbroker/core/contract/account/session';\nexport const m4 = me;\n",
    'ui never imports cli or client or core',
  ],
  [
    'ui/src/o.ts',
    "import { vault } from '../client/src/vault/vault.ts';\nexport const o = vault;\n",
    'ui never imports cli or client or core or extension or server or web',
  ],
  [
    'client/src/transport/p.ts',
    "import { vault } from '../vault/vault.ts';\nexport const p = vault;\n",
    'transport/ knows no capability',
  ],
  [
    'client/src/vault/pe.ts',
    "import { session } from '../session/session.ts';\nexport const p = session;\n",
    'vault/ knows no session',
  ],
  [
    'client/src/keyring/pe.ts',
    "import { session } from '../session/session.ts';\nexport const p = session;\n",
    'keyring/ knows no session',
  ],
  ['client/src/vault/pa.ts', "import { useState } from 'react';\nexport const p = useState;\n", 'outside React'],
  ['client/src/vault/pb.ts', "export const p = () => localStorage.getItem('x');\n", 'see platform.ts'],
  [
    'client/src/vault/pc.ts',
    "import { seal } from '@passwordbroker/core/crypto/seal';\nexport const p = seal;\n",
    'Only keyring/',
  ],
  [
    'client/src/vault/pd.ts',
    "import { Button } from '@passwordbroker/ui/actions/button';\nexport const p = Button;\n",
    'client never imports cli or extension or server or ui or web',
  ],
  ['web/src/lib/p.ts', "import { vault } from '../vault/vault.ts';\nexport const p = vault;\n", 'below the features'],
  [
    'cli/src/pe.ts',
    "import { openDatabase } from '@passwordbroker/server/db/open';\nexport const p = openDatabase;\n",
    'cli never imports extension or server or ui or web',
  ],
  [
    'extension/src/popup/pf.ts',
    "import { openDatabase } from '@passwordbroker/server/db/open';\nexport const p = openDatabase;\n",
    'extension never imports cli or server or web',
  ],
  [
    'extension/src/popup/pg.ts',
    "import { seal } from '@passwordbroker/core/crypto/seal';\nexport const p = seal;\n",
    'Only keyring/',
  ],
  ['extension/src/popup/ph.ts', 'export const p = () => chrome.runtime;\n', 'Only browser-api.ts'],
  ...['cli', 'client', 'core', 'extension', 'server', 'ui', 'web'].map((name) => [
    `${name === 'core' ? 'web' : 'core'}/src/${name === 'core' ? 'fields' : 'domain'}/p-${name}.ts`,
    `import { x } from '../../../${name}/src/x.ts';\nexport const p = x;\n`,
    'Packages that it may import, by name',
  ]),
  [
    'core/src/contract/p1.ts',
    "import { openDatabase } from '@passwordbroker/server/db/open';\nexport const p = openDatabase;\n",
    'core never imports cli or client or extension or server',
  ],
  [
    'core/src/crypto/p2.ts',
    "import { x } from '@passwordbroker/core/domain/policy';\nexport const p = x;\n",
    'knows no product noun',
  ],
  [
    'web/src/lib/p4.ts',
    "import { FIELDS } from '../texts/fields.ts';\nexport const p = FIELDS;\n",
    'below the features',
  ],
  [
    'web/src/lib/deep/p5.ts',
    "import { vault } from '../../vault/vault.ts';\nexport const p = vault;\n",
    'below the features',
  ],
  ['server/src/http/p7.ts', "import { app } from '../app/app.ts';\nexport const p = app;\n", 'none of the calls'],
  [
    'server/src/platform/p7.ts',
    "import { app } from '../app/app.ts';\nexport const p = app;\n",
    'platform/ knows no capability',
  ],
  [
    'server/src/platform/p8.ts',
    "import { route } from '../http/route.ts';\nexport const p = route;\n",
    'platform/ knows no capability',
  ],
  ['server/src/db/p9.ts', "import { route } from '../http/route.ts';\nexport const p = route;\n", 'stores rows'],
  [
    'server/src/http/pc-repository.ts',
    "import { x } from '../entries/repository.ts';\nexport const p = x;\n",
    'none of the calls',
  ],
  ...['server/src/entries', 'server/src/db', 'web/src/fields'].map((folder) => [
    `${folder}/pd.ts`,
    "import { x } from '@passwordbroker/core/crypto/legacy/value';\nexport const p = x;\n",
    'L0 reader',
  ]),
  ...Object.entries(MAY_IMPORT).flatMap(([file, allowed]) =>
    Object.entries(LIBRARIES)
      .filter(([library]) => !allowed.includes(library))
      .map(([, words]) => [
        file,
        Object.keys(LIBRARIES)
          .map((library) => `export * from '${library}';\n`)
          .join(''),
        words,
      ]),
  ),
  ...['client/src/session', 'extension/src/unlock', 'web/src/account', 'web/src/lib'].map((folder) => [
    `${folder}/pg.ts`,
    "export * from '@simplewebauthn/browser';\n",
    'Only client/src/browser/ and web/src/passkeys/',
  ]),
  [
    'web/src/account/ph.ts',
    'export const p = () => navigator.credentials;\n',
    'Only client/src/browser/ and web/src/passkeys/',
  ],
  ...['core/src', 'core/src/crypto', 'core/src/contract'].map((folder) => [
    `${folder}/pe.ts`,
    "export { readFileSync } from 'node:fs';\n",
    'run in browsers',
  ]),
  [
    'ui/src/pf.ts',
    "export { seal } from '@passwordbroker/core/crypto/seal';\n",
    'ui never imports cli or client or core',
  ],
  ['web/src/fields/q.tsx', 'export const Q = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;\n', 'danger'],
  ['server/src/entries/r.ts', 'export function r() {\n  Promise.resolve(1);\n}\n', 'no-floating-promises'],
  ['server/src/entries/s.ts', 'export const s = (x: any) => x;\n', 'no-explicit-any'],
  ['server/src/entries/t.ts', "console.log('x');\nexport {};\n", 'no-console'],
  ['server/src/entries/t1.ts', "export const t = () => eval('1');\n", 'no-eval'],
  ['server/src/entries/t2.ts', "setTimeout('t()', 1);\nexport {};\n", 'no-implied-eval'],
  ['server/src/entries/t3.ts', 'export var t = 1;\n', 'no-var'],
  ['server/src/entries/t4.ts', 'export function t() {\n  let x = 1;\n  return x;\n}\n', 'prefer-const'],
  ['server/src/entries/t5.ts', 'export const t = async () => await 1;\n', 'await-thenable'],
  ['server/src/entries/t6.ts', 'export const t = (x: string | null) => x!;\n', 'no-non-null-assertion'],
  [
    'server/src/entries/t7.ts',
    "import { w } from './w.ts';\nexport const t = (x: typeof w): typeof w => x;\n",
    'consistent-type-imports',
  ],
  // A violation, like everything in this list.
  ['server/src/entries/t8.ts', '// @ts-ignore\nexport const t = 1;\n', 'ban-ts-comment'],
  [
    'server/src/entries/t9.ts',
    "export function t(x: 'a' | 'b') {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n",
    'switch-exhaustiveness-check',
  ],
  ['server/src/entries/ta.ts', 'export const t = (x: Promise<number>) => (x ? 1 : 2);\n', 'no-misused-promises'],
  [
    'web/src/fields/tb.tsx',
    "import { useState } from 'react';\nexport const Tb = (p: { a: boolean }) => (p.a ? useState(1)[0] : null);\n",
    'rules-of-hooks',
  ],
  [
    'web/src/fields/tc.tsx',
    'export const Tc = () => <a href="https://x.example" target="_blank" />;\n',
    'no-target-blank',
  ],
  ['server/src/entries/u1.ts', "import { v } from './u2.ts';\nexport const u = () => v;\n", 'no-cycle'],
  ['server/src/entries/u2.ts', "import { u } from './u1.ts';\nexport const v = () => u;\n", 'no-cycle'],
  ['server/src/entries/w.ts', 'export const w = (x: unknown) => x == 1;\n', 'eqeqeq'],
];

/** [file, content]: allowed code; an error about it fails the check. */
const ALLOWED = [
  ['core/src/crypto/ok.node.ts', "export { createHash } from 'node:crypto';\n"],
  ['core/src/domain/ok.ts', "export { seal } from '../crypto/seal.ts';\n"],
  ['core/src/contract/ok.ts', "export { can } from '../domain/policy.ts';\n"],
  ['server/src/entries/ok-repository.ts', "export { sql } from 'kysely';\n"],
  [
    'server/src/entries/ok.ts',
    "export { can } from '@passwordbroker/core/domain/policy';\nexport { x } from '../users/x.ts';\n",
  ],
  ['server/src/http/ok.ts', "export { fastify } from 'fastify';\nexport { refuse } from '../audit/refusals.ts';\n"],
  ['server/src/platform/ok.ts', "export { openDatabase } from '../db/open.ts';\n"],
  ['server/src/db/ok.ts', "export { sql } from 'kysely';\nexport { clock } from '../platform/clock.ts';\n"],
  ['client/src/keyring/ok.ts', "export { seal } from '@passwordbroker/core/crypto/seal';\n"],
  ['ui/src/ok.tsx', "export { UI } from './texts.ts';\nexport { useState } from 'react';\n"],
  ['web/src/fields/ok.tsx', "export { Button } from '@passwordbroker/ui/actions/button';\n"],
  ['web/src/lib/ok.ts', "export { CONNECTION } from '@passwordbroker/client/texts/connection';\n"],
  [
    'client/src/transport/ok.ts',
    "export { CONNECTION } from '../texts/connection.ts';\nexport const ok = () => fetch('/');\n",
  ],
  ['extension/src/browser-api.ts', 'export const ok = () => chrome.runtime;\n'],
  ['client/src/browser/ok.ts', 'export const ok = () => indexedDB.databases();\n'],
  ['web/src/fields/ok.test.ts', "export { openDatabase } from '@passwordbroker/server/db/open';\n"],
];

const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
let silent = 0;
let wrong = 0;
try {
  writeLintConfig(folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'ESNext',
        moduleResolution: 'bundler',
        jsx: 'react-jsx',
        allowImportingTsExtensions: true,
        noEmit: true,
      },
    }),
  );
  for (const [file, content] of [...VIOLATIONS, ...ALLOWED]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const { output } = await tool(
    'oxlint',
    ['--type-aware', '--format', 'json', 'cli', 'client', 'core', 'extension', 'server', 'ui', 'web'],
    {
      quiet: true,
      cwd: folder,
    },
  );
  const { diagnostics } = JSON.parse(output);
  for (const [file, , words] of VIOLATIONS) {
    const bites = diagnostics.some(
      (complaint) =>
        complaint.filename === file && `${complaint.code} ${complaint.message} ${complaint.help}`.includes(words),
    );
    if (!bites) {
      silent += 1;
      console.error(`No complaint with “${words}” about ${file}`);
    }
  }
  for (const { filename, message, help } of diagnostics) {
    if (!ALLOWED.some(([file]) => file === filename)) continue;
    wrong += 1;
    console.error(`A complaint about ${filename}, which is allowed: ${message} ${help}`);
  }
  if (silent > 0) console.error(output);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${VIOLATIONS.length - silent} of ${VIOLATIONS.length} seeded violations are found`);
process.exit(silent + wrong === 0 ? 0 : 1);
