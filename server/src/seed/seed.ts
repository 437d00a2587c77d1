import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as entryGroups from '@passwordbroker/core/contract/groups/entry-groups';
import {
  createGroupKeys,
  type NewGroupKeyWire,
  type SignedMember,
} from '@passwordbroker/core/domain/groups/group-keys';
import type { Deps } from '../http/context.ts';
import { hasUsers } from '../users/user-repository.ts';
import { type App, Caller } from './caller.ts';
import { type PersonKey, TEAM, TREES, type SeedGroup, type SeedField } from './trees.ts';
import * as members from '@passwordbroker/core/contract/groups/members';
import { GRANT_ALGORITHM, type GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { addMember } from '@passwordbroker/core/domain/groups/member-change';
import type { Role } from '@passwordbroker/core/domain/policy';
import { linkedRosterOf } from '@passwordbroker/core/domain/rosters/roster-chain';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { randomBytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { sealField, sealFile } from '@passwordbroker/core/domain/fields/field';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { randomText } from '../platform/ids-and-digests.ts';
import * as session from '@passwordbroker/core/contract/account/session';
import { register } from '@passwordbroker/core/contract/users/users';
import { createKeyring, type Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { forgetRekeying } from './seed-repository.ts';

export class NotEmpty extends Error {
  constructor() {
    super('The database is not empty. The seed goes into a new one only.');
    this.name = 'NotEmpty';
  }
}

/** Fills an empty database with a demonstration team. Returns how each person signs in. @throws NotEmpty */
export async function seed(app: App, deps: Deps): Promise<readonly SeededPerson[]> {
  if (await hasUsers(deps.db)) throw new NotEmpty();
  const people = await signUpTeam(app, deps);
  for (const { maker, root } of TREES) {
    const person = people.get(maker);
    if (person !== undefined) await plant(deps, people, person, root);
  }
  return [...people.values()];
}

async function plant(
  deps: Deps,
  people: ReadonlyMap<PersonKey, SeededPerson>,
  maker: SeededPerson,
  group: SeedGroup,
  parentId?: string,
): Promise<void> {
  const { caller, keyring } = maker;
  const groupId = deps.newId();
  const members = [{ identity: keyring.identity, role: 'admin' as const }];
  const { groupKey, wire } = await createGroupKeys(keyring, { groupId, members, now: deps.clock.now() });
  const place = { entry_group_id: groupId, parent_entry_group_id: parentId ?? null };
  await caller.call(entryGroups.create, { body: { name: group.name, ...place, ...wire } });
  for (const { title, fields } of group.entries ?? []) {
    const { entry_id } = await caller.call(entries.create, { params: { g: groupId }, body: { title } });
    for (const field of fields) await createField(caller, groupKey, entry_id, field, deps.newId());
  }
  const shares = Object.entries(group.members ?? {}).flatMap(([key, role]) => {
    const person = people.get(key as PersonKey);
    return person === undefined ? [] : [{ person, role }];
  });
  await shareGroup(deps, maker, groupId, wire, shares);
  for (const child of group.children ?? []) await plant(deps, people, maker, child, groupId);
}

interface Share {
  readonly person: SeededPerson;
  readonly role: Role;
}

async function shareGroup(
  { clock }: Deps,
  { keyring, caller }: SeededPerson,
  groupId: string,
  key: NewGroupKeyWire,
  shares: readonly Share[],
): Promise<void> {
  const grants = key.grants.map(({ user_id, encrypted_aes_password }) => ({
    user_id,
    gk_version: 1,
    alg: GRANT_ALGORITHM,
    encrypted_aes_password_base64: encrypted_aes_password,
  }));
  let roster = await linkedRosterOf(key);
  let present: readonly SignedMember[] = [{ identity: keyring.identity, role: 'admin' }];
  for (const { person, role } of shares) {
    const member = { identity: person.keyring.identity, role };
    const group = { groupId, roster, gkVersion: 1, grants };
    const added = await addMember(keyring, group, { member, members: present, now: clock.now() });
    await caller.call(members.add, { params: { g: groupId }, body: added, provenBy: keyring });
    const { roster_base64 } = added;
    if (roster_base64 === undefined) throw new Error('A signed group goes on with a signed list');
    roster = await linkedRosterOf({ roster_base64 });
    present = [...present, member];
  }
}

const PASSWORD_BYTES = 18;
const TOTP_LETTERS = 32;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

interface Prepared {
  readonly content: FieldContent;
  readonly columns: object;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** Seals a demonstration field like a client. Secrets are random. */
async function createField(caller: Caller, key: GroupKey, entryId: string, field: SeedField, fieldId: string) {
  const { content, columns, body } = await prepare(field, fieldId);
  const { type, title } = content;
  const sealed = await sealField(key, { entryGroupId: key.groupId, entryId, fieldId, type, rev: 1 }, content);
  await caller.call(fields.create, {
    params: { g: key.groupId, e: entryId },
    body: { field_id: fieldId, type, title, ...columns, ...sealed },
    ...(body === undefined ? {} : { files: { file: body } }),
  });
}

async function prepare(field: SeedField, fieldId: string): Promise<Prepared> {
  const { type, title } = field;
  switch (type) {
    case 'password': {
      const { login } = field;
      return { content: { type, title, login, value: utf8(randomText(PASSWORD_BYTES)) }, columns: { login } };
    }
    case 'link':
    case 'note':
      return { content: { type, title, value: utf8(field.value) }, columns: {} };
    case 'TOTP': {
      const totp = { algorithm: 'sha1', period: 30 } as const;
      return {
        content: { type, title, value: utf8(totpSecret()), totp },
        columns: { totp_hash_algorithm: totp.algorithm, totp_timeout: totp.period },
      };
    }
    case 'file': {
      const { name, mime, size } = field;
      const { body, secret } = await sealFile(fieldId, { name, mime, bytes: new Uint8Array(size).fill(0x2e) });
      return {
        content: { type, title, file: secret },
        columns: { file_name: name, file_mime: mime, file_size: size },
        body,
      };
    }
  }
}

const totpSecret = () => Array.from(randomBytes(TOTP_LETTERS), (byte) => BASE32[byte % BASE32.length]).join('');

export interface SeededPerson {
  readonly key: PersonKey;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  readonly keyring: Keyring;
  readonly caller: Caller;
}

const SECRET_BYTES = 15;

/** Signs the demonstration team up; the first person becomes site admin and creates the others. */
async function signUpTeam(app: App, deps: Deps): Promise<Map<PersonKey, SeededPerson>> {
  const people = new Map<PersonKey, SeededPerson>();
  const admin = new Caller(app, deps.clock);
  for (const { key, username, email } of TEAM) {
    const [password, masterPassword] = [randomText(SECRET_BYTES), randomText(SECRET_BYTES)];
    const userId = deps.newId();
    const { keyring, bundle, trust } = await createKeyring({ userId, masterPassword, kdf: deps.kdf });
    const documents = [{ name: trust.name, blob_base64: trust.blob_base64 }];
    const keys = { key_bundle: bundle, documents };
    const user = { user_id: userId, username, email, password, password_confirmation: password, ...keys };
    await admin.call(session.csrfCookie);
    await admin.call(register, { body: { user } });
    const caller = key === TEAM[0].key ? admin : await signIn(app, deps, email, password);
    people.set(key, { key, name: username, email, password, masterPassword, keyring, caller });
  }
  // The person who runs the seed sees every master password anyway, so new keys at the first sign-in are
  // pointless.
  await deps.db.transact(forgetRekeying);
  return people;
}

async function signIn(app: App, { clock }: Deps, email: string, password: string): Promise<Caller> {
  const caller = new Caller(app, clock);
  await caller.call(session.csrfCookie);
  await caller.call(session.login, { body: { email, password } });
  return caller;
}
