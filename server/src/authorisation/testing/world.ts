/**
 * One world for all cells. `home` is a tree of Ad's, and g a group in it with the same members.
 * Below g are a group where Gu is admin and one of the other admin alone; a separate tree belongs
 * to Ou. No response to a stranger may contain any of their texts.
 */
import { v7 } from 'uuid';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { setAuditor } from '@passwordbroker/core/contract/users/people';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import type { Role } from '@passwordbroker/core/domain/policy';
import { sharing, type Sharing } from '../../members/testing/sharing.ts';
import { putEntry } from '../../operations/testing/vault.ts';
import { joinGroup } from '../../testing/join-group.ts';
import { createSealedPlace, sealedField, sealedFileField, type SealedPlace } from '../../testing/sealed-place.ts';
import { createTestService, type TestService } from '../../testing/test-service.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { type Caller, type People, makeCallers } from './callers.ts';
import type { Actor } from './table.ts';

export interface World {
  readonly app: TestApp;
  readonly as: Sharing;
  readonly people: People;
  /** The other admin of g. */
  readonly ad2: SignedIn;
  /** A person with keys and no role, as the target of calls. */
  readonly target: SignedIn;
  readonly home: SealedPlace;
  /** Group g with an entry. */
  readonly g: SealedPlace;
  /** A password and a file of g, each with the history row of its creation. */
  readonly secret: FieldPlace;
  readonly file: FieldPlace;
  readonly service: TestService;
  readonly callers: readonly Caller[];
  /** Texts that responses to this actor may not contain. */
  readonly foreignTo: (actor: Actor) => readonly string[];
  /** Names of the groups above Gu's group. */
  readonly way: readonly string[];
  /** Another group like g, with a group below it where Ad and Gu are admins. */
  readonly groupLikeG: () => Promise<SealedPlace>;
  /** A group with one member, inserted directly into the tables. */
  readonly groupOf: (person: { readonly userId: string }, role: Role, parent?: string) => Promise<string>;
  readonly entryOf: (groupId: string) => Promise<string>;
  /** A password in a new entry of g. */
  readonly freshField: () => Promise<FieldPlace>;
}

export interface FieldPlace {
  readonly g: string;
  readonly e: string;
  readonly f: string;
  readonly logId: string;
}

export async function startWorld(): Promise<World> {
  // A second target that is unreachable: copies can be requested, and wait.
  const app = await startTestApp({ environment: { BACKUP_COPY: '/nonexistent/copies' } });
  const sa = await app.signUp('site');
  const people: People = {
    SA: sa,
    Au: await app.signUp('auditor'),
    Ou: await app.signUp('outsider'),
    Gu: await app.signUp('guest'),
    Me: await app.signUp('member'),
    Mo: await app.signUp('moderator'),
    Ad: await app.signUp('admin'),
  };
  const [ad2, target, leaver] = [await app.signUp('other'), await app.signUp('target'), await app.signUp('leaver')];
  await sa.call(setAuditor, { params: { id: people.Au.userId }, body: { is_auditor: true } });
  // People created by an admin would get new keys at the first change of the master password; these
  // keep theirs.
  await app.deps.db.transact((tx) => tx.updateTable('users').set({ must_rekey: 0 }).execute());
  const { Ad, Mo, Me, Gu, Ou } = people;
  const as = sharing(app);
  const service = await createTestService(app, sa, 'program');
  const home = await createSealedPlace(Ad, { name: 'canary of home', entry: 'canary entry of home' });
  await as.add(Ad, home.g, ad2, 'admin');
  await as.add(Ad, home.g, Mo, 'moderator');
  await as.add(Ad, home.g, Me, 'member');
  await as.add(Ad, home.g, service, 'member');
  const others = [
    [ad2, 'admin'],
    [Mo, 'moderator'],
    [Me, 'member'],
    [service, 'member'],
  ] as const;
  const childOfHome = (name: string, entry: string) => createSealedPlace(Ad, { name, parent: home.g, others, entry });
  const groupOf: World['groupOf'] = async (person, role, parent) => {
    const g = v7();
    await insertGroup(app, { g, parent: parent ?? null, person, role });
    return g;
  };
  const g = await childOfHome('canary of g', 'canary entry of g');
  const below = await groupOf(Ad, 'admin', g.g);
  await joinGroup(app, below, Gu, 'admin');
  const secret = await withHistory(Ad, g, await passwordIn(Ad, g, 'canary password of g'));
  const file = await withHistory(Ad, g, await fileIn(Ad, g));
  const apart = await createSealedPlace(ad2, {
    name: 'canary of apart',
    parent: home.g,
    entry: 'canary entry of apart',
  });
  await passwordIn(ad2, apart, 'canary password of apart');
  const away = await createSealedPlace(Ou, { name: 'canary of away', entry: 'canary entry of away' });
  await passwordIn(Ou, away, 'canary password of away');
  const [ofG, ofApart, ofAway] = await Promise.all([g, apart, away].map((place) => textsOf(app, place)));
  const ofHome = await textsOf(app, home);
  const world = {
    app,
    as,
    people,
    ad2,
    target,
    home,
    g,
    secret,
    file,
    way: ['canary of home', 'canary of g'],
    foreignTo(actor: Actor) {
      const isMember = ['Me', 'Mo', 'Ad', 'Sv'].includes(actor);
      const own = [...(isMember ? [ofHome, ofG] : []), ...(actor === 'Ou' ? [ofAway] : [])];
      const foreign = [ofHome, ofG, ofApart, ofAway].filter((texts) => !own.includes(texts));
      // The path of their own group contains the ids of those above it.
      const ids = actor === 'Gu' ? [home.g, g.g] : [];
      return foreign.flatMap((texts) => texts ?? []).filter((text) => !ids.includes(text));
    },
    async groupLikeG() {
      const place = await childOfHome(`like g ${app.deps.newId()}`, 'entry');
      await joinGroup(app, await groupOf(Ad, 'admin', place.g), Gu, 'admin');
      return place;
    },
    groupOf,
    entryOf: (groupId: string) => putEntry(app.deps, groupId, 'entry'),
    async freshField() {
      const place = { ...g, e: await putEntry(app.deps, g.g, 'entry') };
      return withHistory(Ad, place, await passwordIn(Ad, place, 'field'));
    },
  };
  return { ...world, service, callers: await makeCallers(app, people, leaver, service) };
}

async function passwordIn(maker: SignedIn, place: SealedPlace, title: string): Promise<string> {
  const content = { type: 'password', title, login: `login of ${title}`, value: utf8('s3cr3t') } as const;
  return (await maker.call(fields.create, { params: place, body: await sealedField(place, content) })).field_id;
}

async function fileIn(maker: SignedIn, place: SealedPlace): Promise<string> {
  const { members, body } = await sealedFileField(place);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  return (await maker.call(fields.create, { params: place, multipart })).field_id;
}

async function withHistory(maker: SignedIn, { g, e }: SealedPlace, f: string): Promise<FieldPlace> {
  const [made] = await maker.call(fields.history, { params: { g, e, f } });
  return { g, e, f, logId: made?.field_edit_log_id ?? '' };
}

/** Ids, names, titles, logins and ciphertext of a group. */
async function textsOf({ deps }: TestApp, { g }: SealedPlace): Promise<string[]> {
  const { read } = deps.db;
  const group = await read.selectFrom('entry_groups').select('name').where('entry_group_id', '=', g).execute();
  const entries = await read.selectFrom('entries').selectAll().where('entry_group_id', '=', g).execute();
  const rows = await read
    .selectFrom('fields')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
    .select(['fields.field_id', 'fields.title', 'fields.login', 'cek_wrapped', 'value'])
    .where('entry_group_id', '=', g)
    .execute();
  return [
    g,
    ...group.map(({ name }) => name),
    ...entries.flatMap(({ entry_id, title }) => [entry_id, title]),
    ...rows.flatMap((row) => [
      row.field_id,
      row.login ?? '',
      row.value.toString('base64'),
      row.cek_wrapped.toString('base64'),
    ]),
    ...rows.map(({ title }) => title).filter((title) => title.startsWith('canary')),
  ].filter((text) => text !== '');
}

/** A group without a key, enough for checks of roles and places. */
async function insertGroup(
  { deps }: TestApp,
  group: { g: string; parent: string | null; person: { readonly userId: string }; role: Role },
): Promise<void> {
  const now = deps.clock.now();
  const { g, parent, person, role } = group;
  await deps.db.transact(async (tx) => {
    const above = await tx
      .selectFrom('entry_groups')
      .select('materialized_path')
      .where('entry_group_id', '=', parent ?? '')
      .executeTakeFirst();
    await tx
      .insertInto('entry_groups')
      .values({
        entry_group_id: g,
        parent_entry_group_id: parent,
        materialized_path: above === undefined ? g : `${above.materialized_path}.${g}`,
        name: 'plain',
        name_folded: 'plain',
        gk_version: 1,
        origin: 'server',
        rotation_due: 0,
        roster_seq: null,
        created_by: null,
        created_at: now,
        updated_at: now,
        trashed_by: null,
      })
      .execute();
    const member = { id: v7(), entry_group_id: g, user_id: person.userId, role, created_at: now, updated_at: now };
    await tx.insertInto('group_members').values(member).execute();
  });
}
