import type { Envelope } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Actor, Deps, Origin } from '../http/context.ts';
import type { Media } from '../http/answer/answer.ts';
import { media } from '../http/answer/answer.ts';
import type { EntryOfField, FieldInPath, GroupOfField } from '../http/auth/path-repository.ts';
import { asEnvelope } from './field-answers.ts';
import { findRevision } from './reveal-repository.ts';
import { witnessRelease } from './reveal.ts';

export interface Release {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
  readonly group: GroupOfField;
  readonly entry: EntryOfField;
  readonly field: FieldInPath;
}

/** Recorded in the same transaction (docs/spec/decisions.md K2). @throws AppError `not_found` */
export async function releaseEnvelope(release: Release, rev: number): Promise<Envelope> {
  const { deps, actor, origin, group, entry, field } = release;
  const place = { groupId: group.entry_group_id, entryId: entry.entry_id, fieldId: field.field_id };
  const revision = await deps.db.transactBeside((tx) => witnessRelease(tx, deps, { actor, origin, place, rev }));
  return asEnvelope({ ...place, type: field.type }, revision);
}

/** The release of the envelope is on record, so this writes nothing. */
export async function streamBody({ deps, field }: Pick<Release, 'deps' | 'field'>, rev: number): Promise<Media> {
  const revision = await findRevision(deps.db, field.field_id, rev);
  if (revision === undefined || revision.body_sha256 === null || revision.body_size === null) {
    throw new AppError('not_found');
  }
  // Checked before the response starts; without its body the value is damaged.
  if (!(await deps.bodies.has(revision.body_sha256))) throw new AppError('integrity_error');
  return media(deps.bodies.open(revision.body_sha256), {
    'content-length': String(revision.body_size),
    'content-disposition': 'attachment',
    'content-security-policy': 'sandbox',
  });
}
