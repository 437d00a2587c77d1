import type { AliasedSelectQueryBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { knownSecrets } from './known-repository.ts';

type Known = Omit<Tables['departure_secrets'], 'departure_id'>;

export async function listDepartureSecrets(db: Database, departureId: string, callerId: string) {
  const known = db.read
    .selectFrom('departure_secrets')
    .select(['field_id', 'rev', 'opened_at', 'how', 'user_application_id'])
    .where('departure_id', '=', departureId);
  return asShown(db, known.as('known'), callerId);
}

export async function listMemberSecrets(db: Database, groupId: string, userId: string, callerId: string) {
  const all = knownSecrets(db.read, { groupIds: [groupId], userId }).as('in_group');
  const known = db.read.selectFrom(all).select(['field_id', 'rev', 'opened_at', 'how', 'user_application_id']);
  return asShown(db, known.as('known'), callerId);
}

/** The caller must see the field now: it may have moved to another group. */
async function asShown(db: Database, known: AliasedSelectQueryBuilder<Known, 'known'>, callerId: string) {
  return db.read
    .selectFrom(known)
    .innerJoin('fields', 'fields.field_id', 'known.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
    .select([
      'known.field_id',
      'known.rev',
      'known.opened_at',
      'known.how',
      'known.user_application_id',
      'fields.title',
      'fields.type',
      'fields.rev as present_rev',
      'fields.trashed_by as field_trashed_by',
      'entries.entry_id',
      'entries.entry_group_id',
      'entries.title as entry_title',
      'entries.trashed_by as entry_trashed_by',
    ])
    .where('group_members.user_id', '=', callerId)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

export type SecretRow = Awaited<ReturnType<typeof asShown>>[number];
