/**
 * CM6: a server that lies, between the command line and the truth (docs/spec/threats.md M1–M23). A command ends with 10
 * and prints nothing on standard output; what it writes and runs does not exist.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Envelope, GroupUserWithCertificate, RosterAnswer } from '@passwordbroker/core/contract/entities';
import { register } from '@passwordbroker/core/contract/users/users';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import { fingerprintWords } from '@passwordbroker/core/domain/keyring/fingerprint-words';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestPerson } from '../../server/src/testing/test-person.ts';
import { newPb, type Pb } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';
import { proxyTo, type Proxy } from './testing/proxy.ts';

const SECRETS = ['q8-Rf3!wZ_47uM', 'hollow.birch/93', 'amber+quarry+77', 'JBSWY3DPEHPK3PXP', 'former-Value_1'] as const;
const [SECRET, BACKUP, ELSEWHERE, CODE, FORMER] = SECRETS;
const NOT_TRUSTED = { code: 10, out: '' };

let app: TestApp;
let proxy: Proxy;
let pb: Pb;
let folder: string;
let ada: TestPerson;
let bob: TestPerson;
let mallory: TestPerson;
/** Of a revision that was replaced. */
let former: Envelope;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  ada = await personOf('ada');
  bob = await personOf('bob');
  mallory = await personOf('mallory');
  const site = app.guest();
  for (const person of [ada, bob, mallory]) await site.call(register, { body: { user: signUpBody(person) } });
  proxy = await proxyTo(await app.listen());
  folder = mkdtempSync(join(tmpdir(), 'pb-lies-'));
  pb = newPb();
  await pb.onTerminal(['login', proxy.origin, '--email', ada.email], [['Account password', ada.password]]);
  await unlock();
  for (const group of ['ops', 'other']) await pb.run(['group', 'add', group]);
  await add('ops/db', FORMER, '--login', 'app');
  former = await envelopeOf('ops/db/password');
  await pb.run(['edit', 'ops/db/password', '--value-stdin'], { input: SECRET });
  await add('ops/backup', BACKUP);
  await add('other/old', ELSEWHERE);
  await pb.run(['add', 'ops/db', '--type', 'TOTP', '--value-stdin'], { input: CODE });
  await add('other/old', CODE, '--type', 'TOTP');
});
afterEach(() => proxy.reset());
afterAll(async () => {
  await pb.run(['lock']);
  await proxy.close();
  await app.stop();
  pb.remove();
  rmSync(folder, { recursive: true, force: true });
});

const add = (reference: string, value: string, ...more: string[]) =>
  pb.run(['add', reference, ...more, '--value-stdin'], { input: value });
const unlock = () => pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
let told = 0;
/** Changes the answers to paths with that part. @param change returns nothing if it has changed what it got */
function lieAbout<T>(part: string | RegExp, change: (answer: T, path: string) => T | void): void {
  told = 0;
  proxy.lie = (path, body) => {
    if (typeof part === 'string' ? !path.includes(part) : !part.test(path)) return body;
    const answer = JSON.parse(body) as T;
    told += 1;
    return JSON.stringify(change(answer, path) ?? answer);
  };
}

interface Released {
  readonly releases: Envelope[];
}

/** Envelopes come one by one and several at once. */
const forgeEnvelopes = (forge: (envelope: Envelope) => Partial<Envelope>) =>
  lieAbout<Envelope | Released>(/\/envelope|\/releases$/, (answer) =>
    'releases' in answer
      ? { releases: answer.releases.map((one) => ({ ...one, ...forge(one) })) }
      : { ...answer, ...forge(answer) },
  );

/** What a server has of a value; the command is honest. */
async function envelopeOf(reference: string, command: 'get' | 'totp' = 'get'): Promise<Envelope> {
  const seen: Envelope[] = [];
  lieAbout<Envelope | Released>(/\/envelope|\/releases$/, (answer) => {
    seen.push(...('releases' in answer ? answer.releases : [answer]));
  });
  expect((await pb.run([command, reference])).code).toBe(0);
  proxy.reset();
  const [envelope] = seen;
  if (envelope === undefined) throw new Error('The command asks for an envelope');
  return envelope;
}

const sealedPart = ({ cek_wrapped_base64, encrypted_value_base64, initialization_vector_base64 }: Envelope) => ({
  cek_wrapped_base64,
  encrypted_value_base64,
  initialization_vector_base64,
});

/** Flips one bit; negative counts from the end. */
function flipped(base64: string, at: number): string {
  const bytes = Buffer.from(base64, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString('base64');
}

const PRINT = [process.execPath, '-e', 'console.log(process.env.DB)'];

/** Each way to a value. */
async function expectNothingOpens(): Promise<void> {
  const file = join(folder, 'value');
  const commands: readonly (readonly [readonly string[], NodeJS.ProcessEnv?])[] = [
    [['get', 'ops/db/password']],
    [['get', 'ops/db/password', '--json']],
    [['get', 'ops/backup', 'ops/db/password']],
    [['get', 'ops/db/password#login']],
    [['get', 'ops/db/password', '-o', file]],
    [['totp', 'ops/db']],
    [['run', '--no-mask', '--', ...PRINT], { DB: 'pb://ops/db/password' }],
    [['edit', 'ops/db/password', '--generate']],
  ];
  for (const [command, more = {}] of commands) {
    told = 0;
    const ended = await pb.run(command, { more });
    expect({ command, ...ended }).toMatchObject({ command, ...NOT_TRUSTED });
    expect(ended.err).toMatch(/^[^\n]+\n$/);
    expect(told).toBeGreaterThan(0);
    for (const secret of SECRETS) expect(ended.err).not.toContain(secret);
  }
  expect(existsSync(file)).toBe(false);
}

describe('CM6 values', () => {
  let [backup, old]: Envelope[] = [];
  beforeAll(async () => {
    backup = await envelopeOf('ops/backup');
    old = await envelopeOf('other/old/password');
  });

  const forgeries: readonly (readonly [string, () => (envelope: Envelope) => Partial<Envelope>])[] = [
    ['of another field (M1)', () => () => sealedPart(backup!)],
    ['of another field, with its ids (M1)', () => () => backup!],
    ['of another group (M3)', () => () => sealedPart(old!)],
    [
      'under a later number (M4)',
      () =>
        ({ rev }) => ({ rev: rev + 1 }),
    ],
    [
      'with another key (M6)',
      () =>
        ({ cek_wrapped_base64: key }) => ({ cek_wrapped_base64: flipped(key, -1) }),
    ],
    ['with a bit flipped (M6)', () => (one) => ({ encrypted_value_base64: flipped(one.encrypted_value_base64, -1) })],
    [
      'with a bit of its head flipped (M6)',
      () => (one) => ({ encrypted_value_base64: flipped(one.encrypted_value_base64, 3) }),
    ],
    ['with no bytes (M6)', () => () => ({ encrypted_value_base64: '' })],
    [
      'of a later version of the group’s key (M41)',
      () =>
        ({ gk_version }) => ({ gk_version: gk_version + 1 }),
    ],
  ];
  test.each(forgeries)('%s', async (_what, forge) => {
    forgeEnvelopes(forge());
    await expectNothingOpens();
  });

  test('of the format before (M7): no answer that it understands', async () => {
    forgeEnvelopes(() => ({ crypto_profile: 'L0' as 'pb1' }));
    for (const command of [
      ['get', 'ops/db/password'],
      ['totp', 'ops/db'],
    ])
      expect(await pb.run(command)).toMatchObject({ code: 8, out: '' });
  });
});

describe('CM6 lists', () => {
  interface Listed {
    readonly passwords: readonly { readonly login: string; readonly rev: number }[];
  }
  const listed = (change: (entry: Listed) => object) =>
    lieAbout<unknown>('', (answer) =>
      deeply(answer, (one) => ('passwords' in one ? { ...one, ...change(one as unknown as Listed) } : one)),
    );
  const asNotes = ({ passwords }: Listed) => ({
    passwords: [],
    notes: passwords.map((one) => ({ ...one, type: 'note', login: undefined })),
  });

  test('a field of another type (M2)', async () => {
    listed(asNotes);
    for (const more of [[], ['--json'], ['-o', join(folder, 'note')]])
      expect(await pb.run(['get', 'ops/db/Password', ...more])).toMatchObject(NOT_TRUSTED);
    expect(existsSync(join(folder, 'note'))).toBe(false);
  });

  test('another login (M5): the sealed one is printed, with a warning', async () => {
    listed(({ passwords }) => ({ passwords: passwords.map((one) => ({ ...one, login: 'root' })) }));
    const ended = await pb.run(['get', 'ops/db/password#login']);
    expect(ended).toMatchObject({ code: 0, out: 'app' });
    expect(ended.err).toContain('other details than the sealed value (login)');
  });

  test('another field than the id that was asked for (M2): the lists are asked instead', async () => {
    const { entry_group_id, entry_id, field_id } = await envelopeOf('ops/db/password');
    const backup = await envelopeOf('ops/backup');
    const ids = [entry_group_id, entry_id, field_id].map((id) => `id:${id}`).join('/');
    lieAbout<{ matches: object[][] }>('/resolve', ({ matches }) => ({
      matches: matches.map((of) => of.map((one) => ({ ...one, entry_id: backup.entry_id, field_id: backup.field_id }))),
    }));
    const ended = await pb.run(['run', '--no-mask', '--', ...PRINT], { more: { DB: `pb://${ids}` } });
    expect(ended).toMatchObject({ code: 0, out: `${SECRET}\n` });
    expect(told).toBe(1);
  });

  test('a field that is resolved as another type (M2): nothing starts', async () => {
    lieAbout<{ matches: object[][] }>('/resolve', ({ matches }) => ({
      matches: matches.map((of) => of.map((one) => ({ ...one, type: 'note' }))),
    }));
    const ended = await pb.run(['run', '--', ...PRINT], { more: { DB: 'pb://ops/db/Password' } });
    expect(ended).toMatchObject(NOT_TRUSTED);
    expect(told).toBe(1);
  });

  test('the value before, under its number (M23)', async () => {
    expect((await pb.run(['get', 'ops/db/password'])).out).toBe(SECRET);
    lieAbout<unknown>('', (answer) =>
      deeply(answer, (one) => {
        if (one['field_id'] !== former.field_id) return one;
        return 'encrypted_value_base64' in one ? former : { ...one, rev: former.rev };
      }),
    );
    for (const command of [
      ['get', 'ops/db/password'],
      ['get', 'ops/backup', 'ops/db/password'],
      ['run', '--', ...PRINT],
    ])
      expect(await pb.run(command, { more: { DB: 'pb://ops/db/password' } })).toMatchObject(NOT_TRUSTED);
  });

  test('names that would change what the terminal shows (M25)', async () => {
    lieAbout<unknown>('', (answer) =>
      deeply(answer, (one) => ('title' in one ? { ...one, title: 'a\u001b[2J\u202eb\nc' } : one)),
    );
    const ended = await pb.run(['ls']);
    expect(ended.code).toBe(0);
    expect(ended.out).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});

function deeply(value: unknown, change: (one: Record<string, unknown>) => object): unknown {
  if (Array.isArray(value)) return value.map((one) => deeply(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deeply(one, change)]));
  return change(inner);
}

describe('CM6 unlocking (M9–M12)', () => {
  interface Bundle {
    slots: { kdf: string; salt_base64?: string; blob_base64: string; params?: unknown }[];
    keyset: { blob_base64: string };
    certificate: { ed25519_base64: string };
  }
  const lies: readonly (readonly [string, (bundle: Bundle) => void])[] = [
    ['a derivation that nobody knows', ({ slots: [slot] }) => void (slot!.kdf = 'A0')],
    ['another slot', ({ slots: [slot] }) => void (slot!.blob_base64 = flipped(slot!.blob_base64, -1))],
    ['another keyset', ({ keyset }) => void (keyset.blob_base64 = flipped(keyset.blob_base64, -1))],
    ['another key', ({ certificate }) => void (certificate.ed25519_base64 = flipped(certificate.ed25519_base64, 1))],
  ];
  afterAll(async () => {
    proxy.reset();
    expect((await unlock()).code).toBe(0);
  });
  test.each(lies)('%s', async (_what, lie) => {
    await pb.run(['lock']);
    lieAbout('keyBundle', lie);
    expect((await unlock()).code).toBe(10);
    expect(told).toBeGreaterThan(0);
    expect(await pb.run(['get', 'ops/db/password'])).toMatchObject({ code: 3, out: '' });
  });
});

describe('CM6 members', () => {
  const falseKeys = async (person: TestPerson) => {
    const { keyring, bundle } = await createKeyring({
      userId: person.userId,
      masterPassword: 'false-Keys 71',
      kdf: KDF,
    });
    return { ...bundle.certificate, fpr: keyring.fingerprint, created_at: new Date().toISOString() };
  };
  const words = (person: TestPerson) => fingerprintWords(person.keyring.fingerprint).join(' ');
  const members = async () => (await pb.run(['members', 'ops'])).out;

  test('a key of its own for a person (M13–M15)', async () => {
    const certificate = await falseKeys(bob);
    lieAbout<unknown>('', (answer) =>
      deeply(answer, (one) => {
        if (one['user_id'] !== bob.userId) return one;
        if ('ed25519_base64' in one) return certificate;
        return 'fpr' in one ? { ...one, fpr: certificate.fpr } : one;
      }),
    );
    expect(await pb.run(['share', 'ops', 'bob', 'member', '--words', words(bob)])).toMatchObject(NOT_TRUSTED);
    expect(told).toBeGreaterThan(0);
    proxy.reset();
    expect(await members()).toBe('ada  admin\n');
    expect(await pb.run(['share', 'ops', 'bob', 'member', '--words', words(bob)])).toMatchObject({ code: 0 });
    lieAbout<unknown>('', (answer) =>
      deeply(answer, (one) => {
        if (one['user_id'] !== bob.userId) return one;
        if ('ed25519_base64' in one) return certificate;
        return 'fpr' in one ? { ...one, fpr: certificate.fpr } : one;
      }),
    );
    expect(await pb.run(['share', 'other', 'bob', 'member', '--trust-for-now'])).toMatchObject(NOT_TRUSTED);
  });

  test.each<[string, (rows: GroupUserWithCertificate[]) => GroupUserWithCertificate[]]>([
    [
      'one invented (M17)',
      (rows) => [
        ...rows,
        {
          ...rows[0]!,
          id: crypto.randomUUID(),
          user_id: mallory.userId,
          user: { user_id: mallory.userId, name: 'mallory' },
        },
      ],
    ],
    ['one left out (M36)', (rows) => rows.filter(({ user_id }) => user_id !== bob.userId)],
    [
      'one with another role (M18)',
      (rows) => rows.map((row) => (row.user_id === bob.userId ? { ...row, role: 'admin' as const } : row)),
    ],
  ])('%s', async (_what, change) => {
    lieAbout<GroupUserWithCertificate[]>(/\/users$/, (rows) => (Array.isArray(rows) ? change(rows) : rows));
    const ended = await pb.run(['members', 'ops']);
    expect(ended).toMatchObject(NOT_TRUSTED);
    expect(ended.err).toContain('as an admin has signed them');
    expect(told).toBeGreaterThan(0);
  });
});

describe('CM6 signed lists', () => {
  const lies: readonly (readonly [string, (answer: RosterAnswer) => void])[] = [
    [
      'with another signature (M19)',
      ({ rosters }) => rosters.forEach((one) => void (one.roster_sig_base64 = Buffer.alloc(64, 1).toString('base64'))),
    ],
    [
      'of another content (M19)',
      ({ rosters }) => rosters.forEach((one) => void (one.roster_base64 = flipped(one.roster_base64, -2))),
    ],
    [
      'without a proof of the key (M45)',
      ({ rosters }) =>
        rosters.forEach((one) => void (one.roster_proof_base64 = Buffer.alloc(32, 1).toString('base64'))),
    ],
    [
      'with another secret (M17)',
      ({ grants }) =>
        grants.forEach(
          (one) => void (one.encrypted_aes_password_base64 = flipped(one.encrypted_aes_password_base64, -1)),
        ),
    ],
    ['older than the one that was accepted (M22)', (answer) => void (answer.rosters = answer.rosters.slice(0, 1))],
    ['none (M22)', (answer) => void (answer.rosters = [])],
  ];
  afterAll(async () => {
    await pb.run(['lock']);
    proxy.reset();
    expect((await unlock()).code).toBe(0);
    expect((await pb.run(['ls', 'ops'])).out).not.toContain('ops/new');
    expect((await pb.run(['members', 'ops'])).out).toBe('ada  admin\nbob  member\n');
  });

  test.each(lies)('%s', async (_what, lie) => {
    await pb.run(['lock']);
    proxy.ask = (path) => path.replace(/from=\d+/, 'from=0');
    lieAbout<unknown>('roster', (answer) =>
      deeply(answer, (one) => {
        if ('rosters' in one && 'grants' in one) lie(one as unknown as RosterAnswer);
        return one;
      }),
    );
    await unlock();
    const [archive, passwordFile] = [join(folder, 'ops.pbx'), join(folder, 'password')];
    writeFileSync(passwordFile, 'of the archive', { mode: 0o600 });
    const commands = [
      ['get', 'ops/db/password'],
      ['totp', 'ops/db'],
      ['run', '--no-mask', '--', ...PRINT],
      ['edit', 'ops/db/password', '--generate'],
      ['add', 'ops/new', '--generate'],
      ['share', 'ops', 'mallory', 'member', '--trust-for-now'],
      ['members', 'ops'],
      ['export', 'ops', '-o', archive, '--password-file', passwordFile, '--yes'],
    ];
    const ended = await Promise.all(
      commands.map(async (command) => ({
        command,
        ...(await pb.run(command, { more: { DB: 'pb://ops/db/password' } })),
      })),
    );
    expect(ended).toMatchObject(commands.map((command) => ({ command, ...NOT_TRUSTED })));
    expect(existsSync(archive)).toBe(false);
    expect(told).toBeGreaterThan(0);
  });
});
