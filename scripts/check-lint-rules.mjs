/**
 * Shows that each boundary rule bites: writes a small tree with one violation a rule beside a copy of the configuration, lints it, and
 * fails when a rule stays silent.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, tool } from './run.mjs';

/** Folders of the server's capabilities: none of them, a new one neither, may be reached from below. */
const CAPABILITIES = readdirSync(join(ROOT, 'server/src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['db', 'http', 'platform', 'testing'].includes(entry.name))
  .map((entry) => entry.name);
const BELOW = {
  http: { allowed: ['audit'], words: 'knows none of them' },
  platform: { allowed: [], words: 'the outside world' },
  'db/migrations': { allowed: [], words: 'stores rows' },
};

/** [file, content, words that the complaint must contain] */
const VIOLATIONS = [
  [
    'core/src/crypto/a.ts',
    "import { can } from '../domain/policy.ts';\nexport const a = can;\n",
    'knows no product noun',
  ],
  [
    'core/src/crypto/b.ts',
    "import { createHash } from 'node:crypto';\nexport const b = createHash;\n",
    'primitives.node.ts',
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
    'core runs in browsers',
  ],
  [
    'core/src/domain/ea.ts',
    "import { randomSalt } from '../crypto/salt.ts';\nexport const e = randomSalt;\n",
    'Pooled bytes are salts',
  ],
  [
    'web/src/keyring/na.ts',
    "import { randomSalt } from '@passwordbroker/core/crypto/salt';\nexport const n = randomSalt;\n",
    'Pooled bytes are salts',
  ],
  ['core/src/domain/f.ts', 'export const f = Math.random();\n', 'core/crypto'],
  ['core/src/domain/g.ts', 'export const g = crypto.subtle;\n', 'core/crypto alone'],
  [
    'core/src/contract/h.ts',
    "import { seal } from '../crypto/seal.ts';\nexport const h = seal;\n",
    'does not open them',
  ],
  ['server/src/entries/i.ts', "import { sql } from 'kysely';\nexport const i = sql;\n", 'repository.ts'],
  ['server/src/entries/j.ts', "import Fastify from 'fastify';\nexport const j = Fastify;\n", 'HTTP framework'],
  [
    'server/src/entries/repository.ts',
    "import Database from 'better-sqlite3';\nexport const k = Database;\n",
    'Only db/',
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
  ['web/src/keyring/n.ts', "import { useState } from 'react';\nexport const n = useState;\n", 'outside React'],
  ['server/src/app.ts', "import { sql } from 'kysely';\nexport const ia = sql;\n", 'repository.ts'],
  ['server/src/http/ib.ts', "import Database from 'better-sqlite3';\nexport const ib = Database;\n", 'Only db/'],
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
    'never imports the client',
  ],
  [
    'web/src/fields/m1.ts',
    "import { openDatabase } from '../../../server/src/db/database.ts';\nexport const m1 = openDatabase;\n",
    'never imports the server',
  ],
  ...['fields', 'keyring', 'ui', 'lib'].map((folder) => [
    `web/src/${folder}/m2.ts`,
    "import { readFileSync } from 'node:fs';\nexport const m2 = readFileSync;\n",
    'runs in a browser',
  ]),
  [
    'web/src/lib/m3.ts',
    "import { seal } from '@passwordbroker/core/crypto/seal';\nexport const m3 = seal;\n",
    'Only keyring/',
  ],
  [
    'web/src/ui/m4.ts',
    "import { me } from '@passwordbroker/core/contract/session';\nexport const m4 = me;\n",
    'no data access',
  ],
  ['web/src/ui/o.ts', "import { vault } from '../vault/vault.ts';\nexport const o = vault;\n", 'design system'],
  ['web/src/lib/p.ts', "import { vault } from '../vault/vault.ts';\nexport const p = vault;\n", 'below the features'],
  ['web/src/fields/q.tsx', 'export const Q = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;\n', 'danger'],
  ['server/src/entries/r.ts', 'export function r() {\n  Promise.resolve(1);\n}\n', 'no-floating-promises'],
  ['server/src/entries/s.ts', 'export const s = (x: any) => x;\n', 'no-explicit-any'],
  ['server/src/entries/t.ts', "console.log('x');\nexport {};\n", 'no-console'],
  ['server/src/entries/u1.ts', "import { v } from './u2.ts';\nexport const u = () => v;\n", 'no-cycle'],
  ['server/src/entries/u2.ts', "import { u } from './u1.ts';\nexport const v = () => u;\n", 'no-cycle'],
  ['server/src/entries/w.ts', 'export const w = (x: unknown) => x == 1;\n', 'eqeqeq'],
];

const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
let silent = 0;
try {
  cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
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
  for (const [file, content] of VIOLATIONS) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const { output } = await tool('oxlint', ['--type-aware', '--format', 'json', 'core', 'server', 'web'], {
    quiet: true,
    cwd: folder,
  });
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
  if (silent > 0) console.error(output);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${VIOLATIONS.length - silent} of ${VIOLATIONS.length} seeded violations are found`);
process.exit(silent === 0 ? 0 : 1);
