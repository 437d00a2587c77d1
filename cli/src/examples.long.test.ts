/** Every example of every help, as a shell runs it, at a vault that has what it names. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestPerson } from '../../server/src/testing/test-person.ts';
import { COMMANDS } from './commands/commands.ts';
import { newPb, type Pb, typedInto } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';

let app: TestApp;
let origin: string;
let pb: Pb;
let ada: TestPerson;
let folder: string;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  ada = await personOf('ada');
  const grace = { ...(await personOf('grace')), name: 'Grace Hopper' };
  const site = app.guest();
  for (const person of [ada, grace]) await site.call(register, { body: { user: signUpBody(person) } });
  origin = await app.listen();
  folder = mkdtempSync(join(tmpdir(), 'pb-examples-'));
  const bin = join(folder, 'bin');
  for (const path of [bin, join(folder, '.local/share/bash-completion/completions')])
    mkdirSync(path, { recursive: true });
  pb = newPb({ HOME: folder, MANPAGER: 'cat', PATH: `${bin}:${process.env['PATH']}` });
  for (const [name, script] of [
    ['bin/pb', `exec "${process.execPath}" "${pb.program}" "$@"`],
    ['bin/xclip', `case "$*" in *-o*) cat '${folder}/board' ;; *) cat > '${folder}/board' ;; esac`],
    ['migrate', 'test -n "$DB_PASSWORD" -a "${DB_PASSWORD#pb:}" = "$DB_PASSWORD"'],
  ] as const)
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  for (const [name, text] of [
    ['notes.txt', 'Two\nlines'],
    ['key.txt', 'password of a file'],
    ['.env', 'DB_PASSWORD=pb://ops/db\n'],
    ['package.json', `{"scripts":{"start":"./migrate"}}`],
    ['bitwarden.json', JSON.stringify({ encrypted: false, folders: [], items: [BITWARDEN_NOTE] })],
  ] as const)
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  await shell(`pb login ${origin} --email ${ada.email}`, [['Account password', ada.password]]);
  await shell('pb unlock', [['Master password', ada.masterPassword]]);
  for (const line of [
    ...['ops', 'ops/databases', 'ops/production', 'old'].map((path) => `pb group add ${path}`),
    'printf db-value | pb add ops/db --login app --value-stdin',
    'pb add ops/db --type file --title backup-key --value-file key.txt',
    'pb add ops/old-db --generate',
    'pb add old/db --generate',
    'pb add old/web --generate',
    'echo JBSWY3DPEHPK3PXP | pb add ops/console --type TOTP --value-stdin',
    ...['passwords', 'new'].map(
      (name) => `pb export old --format kdbx --password-file key.txt -o ${name}.kdbx --yes --quiet`,
    ),
  ])
    expect(await shell(line)).toMatchObject({ line, code: 0 });
});
afterAll(async () => {
  await pb.run(['lock']);
  await app.stop();
  pb.remove();
  rmSync(folder, { recursive: true, force: true });
});

const BITWARDEN_NOTE = { type: 2, name: 'Note', notes: 'text', secureNote: { type: 0 }, fields: [], favorite: false };

type Answers = Parameters<typeof typedInto>[1];

async function shell(line: string, answers: Answers = []) {
  // A question that nobody answers ends it with 124.
  const bounded = `cd ${folder}; timeout --foreground 15 sh -c '${line.replaceAll("'", "'\\''")}'`;
  const { code, out } = await typedInto(bounded, answers, pb.environment);
  return { line, code, out };
}

/** What is answered, what has to be there before or is put back behind, and an exit code other than 0. */
interface About {
  readonly answers?: Answers;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly code?: number;
}

const abouts = (): Readonly<Record<string, About>> => ({
  'pb login https://vault.example.org': {
    answers: [
      ['E-mail', ada.email],
      ['Account password', ada.password],
    ],
  },
  'pb login https://vault.example.org --browser': { answers: [['Code of the page', '\u0003']], code: 11 },
  'pb unlock': { answers: [['Master password', ada.masterPassword]] },
  'pb unlock --for 30': { answers: [['Master password', ada.masterPassword]] },
  'pb add ops/db --login app --generate': IN_ANOTHER,
  'pb mv old/db old/web ops': IN_ANOTHER,
  'pb rm ops/old-db': { answers: [['[y/N]', 'y']] },
  'pb group add ops/databases --same-members': { before: ['pb group rename ops/databases former'] },
  'pb group rename ops/db databases': {
    before: ['pb group rename ops/databases other', 'pb group add ops/db'],
  },
  'pb group mv ops/databases archive': { before: ['pb group add archive'] },
  'pb totp ops/console --watch': { answers: [['seconds left', '\u0003']], code: 130 },
  'pb service renew deploy -o deploy.credential': { before: ['rm deploy.credential'], answers: [['[y/N]', 'y']] },
  'pb service owner deploy grace@example.org': { answers: [['[y/N]', 'y']] },
  'pb share ops grace@example.org member': { answers: [['eight words', 'later']] },
  'pb unshare ops "Grace Hopper"': { answers: [['[y/N]', 'y']] },
  'pb import passwords.kdbx': {
    answers: [
      ['Password of the file', 'password of a file'],
      ['[y/N]', 'y'],
    ],
  },
  'pb import new.kdbx --into ops --duplicates revise': {
    ...IN_ANOTHER,
    answers: [
      ['Password of the file', 'password of a file'],
      ['[y/N]', 'y'],
    ],
  },
  'pb export ops -o ops.pbx': { answers: EXPORT_ANSWERS },
  'pb export --format kdbx -o all.kdbx': { answers: EXPORT_ANSWERS },
});

/** What it makes must not share a name with what the other examples use. */
const IN_ANOTHER: About = {
  before: ['pb group rename ops kept', 'pb group add ops'],
  after: ['pb group rm ops --yes', 'pb group rename kept ops'],
};

const EXPORT_ANSWERS: Answers = [
  ['Password of the file', 'another password'],
  ['Repeat it', 'another password'],
  ['[y/N]', 'y'],
];

/** They end what the others need. */
const LAST = ['lock', 'logout'];

test('every example runs to its end, or to the ^C of its person', async () => {
  const about = abouts();
  const commands = [...COMMANDS].sort((one, other) => LAST.indexOf(one.name) - LAST.indexOf(other.name));
  const examples = commands.flatMap(({ examples }) => examples);
  expect(Object.keys(about).filter((line) => !examples.includes(line))).toEqual([]);
  const wrong: unknown[] = [];
  const run = async (line: string, answers: Answers = [], wanted = 0) => {
    const ended = await shell(line.replace('https://vault.example.org', origin), answers);
    if (ended.code !== wanted) wrong.push({ ...ended, line });
  };
  for (const example of examples) {
    const { answers, before = [], after = [], code } = about[example] ?? {};
    for (const line of before) await run(line);
    await run(example, answers, code);
    for (const line of after) await run(line);
  }
  expect(wrong).toEqual([]);
  for (const { name, examples } of COMMANDS)
    expect(examples.filter((line) => !line.includes(`pb ${name}`))).toEqual([]);
});
