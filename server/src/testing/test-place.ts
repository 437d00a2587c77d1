/**
 * A group with an entry, a field and its history, inserted directly into the tables, for tests of access
 * before anything is sealed or opened.
 */
import { v7 } from 'uuid';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Deps } from '../http/context.ts';

/** Ids by the names of path parameters. */
export interface TestPlace {
  readonly g: string;
  readonly e: string;
  readonly f: string;
  readonly logId: string;
}

/** Inserts the place. `members` maps people to roles; `guests` are members of its subgroup. */
export async function insertPlace(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  members: Readonly<Record<string, Role>>,
  guests: readonly string[] = [],
): Promise<TestPlace> {
  const place = { g: v7(), e: v7(), f: v7(), logId: v7() };
  const below = v7();
  const now = clock.now();
  const times = { created_at: now, updated_at: now };
  const group = (id: string, parent: string | null, path: string) => ({
    entry_group_id: id,
    parent_entry_group_id: parent,
    materialized_path: path,
    name: id,
    name_folded: id,
    gk_version: 1,
    origin: 'server' as const,
    rotation_due: 0 as const,
    roster_seq: null,
    created_by: null,
    trashed_by: null,
    ...times,
  });
  const columns = {
    title: 'title',
    login: 'login',
    totp_hash_algorithm: null,
    totp_timeout: null,
    file_name: null,
    file_mime: null,
    file_size: null,
  };
  await db.transact(async (tx) => {
    await tx
      .insertInto('entry_groups')
      .values([group(place.g, null, place.g), group(below, place.g, `${place.g}.${below}`)])
      .execute();
    const roles = [
      ...Object.entries(members).map(([user_id, role]) => ({ entry_group_id: place.g, user_id, role })),
      ...guests.map((user_id) => ({ entry_group_id: below, user_id, role: 'member' as const })),
    ];
    for (const role of roles)
      await tx
        .insertInto('group_members')
        .values({ id: v7(), ...role, ...times })
        .execute();
    const entry = { entry_id: place.e, entry_group_id: place.g, title: 'title', created_by: null, trashed_by: null };
    await tx
      .insertInto('entries')
      .values({ ...entry, ...times })
      .execute();
    const field = { field_id: place.f, entry_id: place.e, type: 'password' as const, rev: 1, trashed_by: null };
    await tx
      .insertInto('fields')
      .values({ ...field, ...columns, created_by: null, updated_by: null, ...times })
      .execute();
    await tx
      .insertInto('field_revisions')
      .values({
        field_id: place.f,
        rev: 1,
        crypto_profile: 'pb1',
        gk_version: 1,
        cek_wrapped: Buffer.alloc(116),
        value: Buffer.alloc(212),
        body_sha256: null,
        body_size: null,
        ...columns,
        author_sig: null,
        created_by: null,
        created_at: now,
      })
      .execute();
    await tx
      .insertInto('field_history')
      .values({
        field_edit_log_id: place.logId,
        field_id: place.f,
        event_type: 'created',
        rev: 1,
        user_id: null,
        created_at: now,
      })
      .execute();
  });
  return place;
}
