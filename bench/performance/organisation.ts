/**
 * Fills a database, which no server has open, with an organisation whose people are all signed in. Sealed values
 * have the right form, but cannot be opened.
 */
import type { Database } from '../../server/src/db/database.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import type { Tables } from '../../server/src/db/schema/tables.ts';
import { type BulkWriter, openBulkWriter } from '../../server/src/db/bulk/writer.ts';
import { mergeSearchIndex } from '../../server/src/db/text-search/merge-segments.ts';
import { hashOfSecret, newSessionSecret } from '../../server/src/http/auth/session.ts';
import { accountPasswords } from '../../server/src/platform/passwords/argon2.ts';
import { seedLargeVault } from '../data/large-vault.ts';

export interface Shape {
  readonly users: number;
  readonly groups: number;
  readonly entries: number;
  /** The groups of a person, by number; person 0 is a member of all. */
  readonly groupsOf: (person: number) => readonly number[];
}

export interface Person {
  readonly userId: string;
  readonly email: string;
  /** The session cookie. */
  readonly cookie: string;
}

export interface Organisation {
  readonly people: readonly Person[];
  readonly groupIds: readonly string[];
  /** The group with 500 entries. */
  readonly fullGroup: string;
  /** Paths of some of the fields. */
  readonly fields: readonly FieldPlace[];
}

export interface FieldPlace {
  readonly entry_group_id: string;
  readonly entry_id: string;
  readonly field_id: string;
  readonly title: string;
}

export const ACCOUNT_PASSWORD = 'an account password of the bench';
const HOUR = 3_600_000;
const FIELDS_TOLD = 2_000;

/** @param databaseUrl of an empty PostgreSQL database; default: SQLite in `dataDir` */
export async function makeOrganisation(dataDir: string, shape: Shape, databaseUrl = ''): Promise<Organisation> {
  const now = Date.now();
  const db = await openDatabase({ dataDir, ...(databaseUrl === '' ? {} : { databaseUrl }), now });
  try {
    const hash = await accountPasswords().hash(ACCOUNT_PASSWORD);
    const made = Array.from({ length: shape.users }, (_, at) => makePerson(at, hash, now));
    const users = made.map(({ user }) => user);
    await inOneTransaction(db, (_, insert) => insert('users', users));
    const membersOf = new Map<number, Tables['group_members']['user_id'][]>();
    for (const [at, { user }] of made.entries()) {
      for (const group of shape.groupsOf(at)) membersOf.set(group, [...(membersOf.get(group) ?? []), user.user_id]);
    }
    const vault = await seedLargeVault(db, {
      groups: shape.groups,
      entries: shape.entries,
      now,
      membersOf: (group) => (membersOf.get(group) ?? []).map((userId) => ({ userId, role: 'admin' })),
    });
    // As after the periodic jobs of the server.
    await mergeSearchIndex(db);
    // Sessions come last: filling a large vault takes longer than they live.
    const end = Date.now();
    const times = { created_at: end, last_seen_at: end, confirmed_at: end, expires_at: end + HOUR };
    const sessions = made.map(({ session }) => ({ ...session, ...times }));
    await inOneTransaction(db, (_, insert) => insert('sessions', sessions));
    const fields = await db.read
      .selectFrom('fields')
      .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
      .select(['entries.entry_group_id', 'entries.entry_id', 'fields.field_id', 'fields.title'])
      .where('fields.type', '=', 'note')
      .limit(FIELDS_TOLD)
      .execute();
    return { people: made.map(({ person }) => person), fields, ...vault };
  } finally {
    await db.close();
  }
}

async function inOneTransaction(db: Database, work: Parameters<BulkWriter['transact']>[0]): Promise<void> {
  const writer = await openBulkWriter(db.path);
  try {
    await db.lendWriter(async () => void (await writer.transact(work)));
  } finally {
    await writer.close();
  }
}

function makePerson(at: number, password_hash: string, now: number) {
  const user_id = crypto.randomUUID();
  const secret = newSessionSecret();
  const name = `person ${at}`;
  const email = `person.${at}@example.org`;
  const times = { created_at: now, updated_at: now };
  const user: Tables['users'] = {
    user_id,
    name,
    name_key: name,
    email,
    email_key: email,
    password_hash,
    is_admin: at === 0 ? 1 : 0,
    first_user: at === 0 ? 1 : null,
    epoch: 1,
    mp_exposed_at: null,
    must_rekey: 0,
    server_crypto_opt_out: 0,
    keyset_version: 1,
    disabled_at: null,
    is_auditor: 0,
    factor_state: 'none',
    factor_due_at: null,
    has_password: 1,
    must_link: 0,
    break_glass: 0,
    kind: 'person',
    ...times,
  };
  const session: Omit<Tables['sessions'], 'created_at' | 'last_seen_at' | 'confirmed_at' | 'expires_at'> = {
    session_id: crypto.randomUUID(),
    secret_hash: hashOfSecret(secret),
    kind: 'cookie',
    user_id,
    epoch: 1,
    name: null,
    scopes: null,
    address: '127.0.0.1',
    user_agent: 'bench',
    weak_password: 0,
    method: 'password',
    factor: '',
    provider_id: null,
    provider_sid: null,
    face: null,
    client_version: null,
  };
  return { user, session, person: { userId: user_id, email, cookie: `pb_session=${secret}` } };
}
