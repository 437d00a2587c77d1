/** Every release writes history and audit rows in its transaction (docs/spec/decisions.md K2). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { auditRow, insertAuditRow, recordEvent } from '../audit/audit-log.ts';
import { type Transact, dialectOf } from '../db/database.ts';
import { lockCounter } from '../db/locks.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { addAttempt, countedInOne, countingAttempts, partOf } from '../platform/passwords/attempts-repository.ts';
import {
  findFieldWithRole,
  findRevisionAndLock,
  insertHistoryRow,
  insertRevealAtOnce,
  type Revision,
  findRevision,
} from './reveal-repository.ts';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { ReleasePurpose, Via } from '@passwordbroker/core/contract/faces';
import type { Envelope } from '@passwordbroker/core/contract/entities';
import type { release } from '@passwordbroker/core/contract/entries/fields';
import { type Media, media } from '../http/answer/answer.ts';
import type { EntryOfField, FieldInPath, GroupOfField } from '../http/auth/path-repository.ts';
import { asEnvelope, RELEASED_BYTES } from './field-answers.ts';

/** The program, as it said itself. @param service of the caller */
export const viaOf = ({ client }: Pick<Origin, 'client'>, service: Actor['service']): Via =>
  client?.face ?? (service === null ? 'api' : 'service');

interface Revealed {
  readonly actor: Actor;
  readonly origin: Origin;
  /** Where the field was when the request arrived. */
  readonly place: { readonly groupId: string; readonly entryId: string; readonly fieldId: string };
  readonly rev: number;
  /** Default: `show`. */
  readonly purpose?: ReleasePurpose | undefined;
  readonly label?: string | undefined;
}

const MASS = { reveals: 200, windowMs: 10 * 60_000 } as const;

/**
 * Checks permissions again, because a slow key derivation came before.
 * @throws AppError `not_found`, `forbidden`
 */
export async function recordReveal(tx: Transact, deps: Pick<Deps, 'newId' | 'clock'>, revealed: Revealed) {
  const found = await findFieldWithRole(tx, revealed.actor.userId, revealed.place);
  if (found === undefined) throw new AppError('not_found');
  if (!can(found.role, 'field.reveal')) throw new AppError('forbidden');
  await lockCounter(tx, counterOf(revealed.actor));
  await writeReveal(tx, deps, revealed);
}

/** Like `recordReveal`; also returns the revision, and throws `not_found` without one. */
async function releaseAndRecord(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  revealed: Revealed,
): Promise<Revision> {
  const { actor, place, rev } = revealed;
  const counter = counterOf(actor);
  const found = await findRevisionAndLock(tx, { ...place, userId: actor.userId, revision: rev, counter });
  if (found === undefined) throw new AppError('not_found');
  if (!can(found.role, 'field.reveal')) throw new AppError('forbidden');
  await writeReveal(tx, deps, revealed);
  return found;
}

/** Name of the counter of a person's reveals. */
const counterOf = ({ userId }: Actor) => `reveal:${userId}`;

/** The 201st reveal in ten minutes raises `mass_reveal`, but is allowed. The counter must be locked until commit. */
async function writeReveal(tx: Transact, deps: Pick<Deps, 'newId' | 'clock'>, revealed: Revealed): Promise<void> {
  const { actor, origin, place, rev, purpose = 'show', label = null } = revealed;
  const { fieldId } = place;
  const now = deps.clock.now();
  const history = {
    field_edit_log_id: deps.newId(),
    field_id: fieldId,
    event_type: 'decrypted',
    rev,
    user_id: actor.userId,
    purpose,
    label,
    via: viaOf(origin, actor.service),
    created_at: now,
  } as const;
  const target = { target_type: 'field', target_id: fieldId };
  const event = auditRow(deps, { event_type: 'field_revealed', actor, origin, ...target, details: { rev } });
  const reveals = await insertAndCount(tx, { history, event, counter: counterOf(actor), now });
  if (reveals > MASS.reveals) await raiseMassRevealOnce(tx, deps, revealed);
}

interface RowsOfReveal {
  readonly history: Tables['field_history'] & { readonly user_id: string };
  readonly event: Tables['audit_log'];
  readonly counter: string;
  readonly now: number;
}

/** Returns the number of counted reveals. */
async function insertAndCount(tx: Transact, { history, event, counter, now }: RowsOfReveal): Promise<number> {
  if (dialectOf(tx) === 'postgres') {
    const counted = countedInOne(counter, MASS.windowMs, now);
    return insertRevealAtOnce(tx, { ...event, ...history, ...counted, audit_event: event.event_type });
  }
  await insertHistoryRow(tx, history);
  await insertAuditRow(tx, event);
  return (await addAttempt(tx, counter, MASS.windowMs, now)).failures;
}

/** One alarm per mass reveal. The count alone is not enough, because clocks of instances differ. */
async function raiseMassRevealOnce(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  { actor, origin }: Revealed,
): Promise<void> {
  const [key, now] = [`mass-reveal:${actor.userId}`, deps.clock.now()];
  const counting = await countingAttempts(tx, key, now);
  const until = counting.at(-1)?.blocked_until ?? 0;
  if (until > now + MASS.windowMs - partOf(MASS.windowMs)) return;
  const { failures: beyond } = await addAttempt(tx, key, MASS.windowMs, now);
  if (beyond === 1) await recordEvent(tx, deps, { event_type: 'mass_reveal', actor, origin });
}

export interface Release {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
  readonly group: GroupOfField;
  readonly entry: EntryOfField;
  readonly field: FieldInPath;
}

/** Recorded in the same transaction (docs/spec/decisions.md K2). @throws AppError `not_found` */
export async function releaseEnvelope(release: Release, rev: number, purpose?: ReleasePurpose): Promise<Envelope> {
  const { deps, actor, origin, group, entry, field } = release;
  const place = { groupId: group.entry_group_id, entryId: entry.entry_id, fieldId: field.field_id };
  const revision = await deps.db.transactBeside((tx) =>
    releaseAndRecord(tx, deps, { actor, origin, place, rev, purpose }),
  );
  return asEnvelope({ ...place, type: field.type }, revision);
}

/**
 * Releases the present values in order until they reach `RELEASED_BYTES`; the caller asks again for the rest. Checks
 * all fields first and releases none if one is refused. Records each field once, in this transaction.
 * @throws AppError `not_found`, `forbidden` with the `index` of the field in its details
 */
export async function releaseSeveral(
  { deps, actor, origin }: Pick<Release, 'deps' | 'actor' | 'origin'>,
  { fields, purpose, label }: BodyOf<typeof release>,
): Promise<AnswerOf<typeof release>> {
  return deps.db.transactBeside(async (tx) => {
    const releases: Envelope[] = [];
    const released = new Map<string, Envelope>();
    let bytes = 0;
    for (const [index, { entry_group_id: groupId, entry_id: entryId, field_id: fieldId }] of fields.entries()) {
      const place = { groupId, entryId, fieldId };
      const found = await findFieldWithRole(tx, actor.userId, place);
      if (found === undefined) throw new AppError('not_found', { details: { index } });
      if (!can(found.role, 'field.reveal')) throw new AppError('forbidden', { details: { index } });
      if (bytes >= RELEASED_BYTES) continue;
      const double = released.get(fieldId);
      if (double !== undefined) {
        bytes += Buffer.byteLength(double.encrypted_value_base64, 'base64');
        releases.push(double);
        continue;
      }
      const { rev } = found;
      const revision = await releaseAndRecord(tx, deps, { actor, origin, place, rev, purpose, label });
      bytes += revision.value.length;
      const envelope = asEnvelope({ ...place, type: found.type }, revision);
      released.set(fieldId, envelope);
      releases.push(envelope);
    }
    return { releases };
  });
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
