import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvents, recordEvent } from '../audit/audit-log.ts';
import { asGroupUser } from '../groups/group-answers.ts';
import { findMember, listMembersAmong } from '../groups/group-repository.ts';
import { type Answer, answer } from '../http/answer/answer.ts';
import type { Deps, Context, Caller } from '../http/context.ts';
import {
  type MemberChange,
  judgeChanges,
  type JudgedChange,
  sealedChange,
  groupInTransaction,
  planChanges,
  plannedOrRefuse,
  type PlanResult,
  type PlannedChange,
} from './check-member-change.ts';
import { eventOf, writePlanned, deleteMember, markRotationDue } from './change-repository.ts';
import { addMany } from '@passwordbroker/core/contract/groups/many-groups';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { type Refusal, recordRefusals } from '../audit/refusals.ts';
import type { Transact } from '../db/database.ts';
import { asAppError } from '../http/answer/problem-answer.ts';
import { isSessionThere } from '../http/auth/session-repository.ts';
import { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import { noteLeaving, noteRoles } from '../notices/member-notices.ts';
import { recordDeparture } from '../former-members/former-members.ts';
import { findRole } from './present-repository.ts';

/**
 * Adds a member or changes a role (docs/spec/decisions.md G5). Returns 201 for a new member, else 200.
 * @throws AppError `validation`, `conflict`, `key_version_conflict`, `roster_conflict`,
 * `rewrap_set_mismatch`, `bad_sealed_value`
 */
export async function changeMember(deps: Deps, caller: Caller, change: MemberChange): Promise<Answer<GroupUser>> {
  const judged = await judgeChanges(deps, caller, [change]);
  for (const { stranger } of judged) if (stranger !== null) throw stranger;
  const { groupId, targetId } = change;
  const planned = await deps.db.transact(async (tx) => {
    const plans = (await planChanges(tx, deps, caller, judged)).map(plannedOrRefuse);
    await writePlanned(tx, plans);
    await recordEvents(
      tx,
      deps,
      plans.map((plan) => eventOf(caller, plan)),
    );
    await noteRoles(tx, deps, caller.actor.userId, plans.map(givenRole));
    return plans;
  });
  const member = await findMember(deps.db, groupId, targetId);
  if (member === undefined) throw new AppError('not_found');
  return answer(planned[0]?.before === null ? 201 : 200, asGroupUser(member));
}

type Adding = Context<typeof addMany, BodyOf<typeof addMany>>;
type Result = AnswerOf<typeof addMany>['results'][number];
/** `isChange`: the person was a member before. */
interface Outcome {
  readonly problem: AppError | null;
  readonly isChange: boolean;
}

/**
 * One transaction, to sync the disk once. Refused changes do not affect others; a storage error refuses all.
 */
export async function changeMembersOfMany(context: Adding): Promise<AnswerOf<typeof addMany>> {
  const { deps, body } = context;
  const judged = await judgeChanges(
    deps,
    context,
    body.acts.map(({ entry_group_id, ...act }) => sealedChange(entry_group_id, act)),
  );
  const outcomes = new Map<JudgedChange, Outcome>();
  await deps.db.transact(async (tx) => {
    outcomes.clear();
    // The request is long, so the session is checked again.
    if (!(await isSessionThere(tx, context.actor.sessionId))) throw new AppError('unauthenticated');
    const done: PlannedChange[] = [];
    for (const round of roundsOf(judged)) {
      const plans = await changeEach(tx, context, round);
      done.push(...plans.filter(isPlanned));
      for (const [at, one] of round.entries()) outcomes.set(one, outcomeOf(context, plans[at]));
    }
    await noteRoles(tx, context.deps, context.actor.userId, done.map(givenRole));
  });
  return { results: await resultsOf(context, judged, outcomes) };
}

/** Changes of one group follow each other, because each is checked against the previous result. */
function roundsOf(judged: readonly JudgedChange[]): readonly (readonly JudgedChange[])[] {
  const rounds: JudgedChange[][] = [];
  const counts = new Map<string, number>();
  for (const one of judged) {
    const before = counts.get(one.change.groupId) ?? 0;
    counts.set(one.change.groupId, before + 1);
    (rounds[before] ??= []).push(one);
  }
  return rounds;
}

/** Takes changes of different groups. */
async function changeEach(
  tx: Transact,
  context: Adding,
  round: readonly JudgedChange[],
): Promise<readonly PlanResult[]> {
  const { deps } = context;
  const plans = await planChanges(tx, deps, context, round);
  await writePlanned(tx, plans.filter(isPlanned));
  await recordEvents(
    tx,
    deps,
    plans.filter(isPlanned).map((plan) => eventOf(context, plan)),
  );
  for (const [at, { change }] of round.entries()) {
    const { problem } = outcomeOf(context, plans[at]);
    if (problem?.status === 403) await recordRefusals(tx, deps, refusal(context, change.groupId, problem.code));
  }
  return plans;
}

function outcomeOf({ deps, requestId }: Adding, plan: PlanResult | undefined): Outcome {
  if (plan === undefined) return UNKNOWN;
  if (isPlanned(plan)) return { problem: null, isChange: plan.before !== null };
  return { problem: asAppError(plan.problem, requestId, deps.log), isChange: false };
}

const givenRole = ({ change: { groupId, targetId, role }, before }: PlannedChange) => ({
  groupId,
  userId: targetId,
  role,
  before,
});

const isPlanned = (plan: PlanResult): plan is PlannedChange => !('problem' in plan);

/** As of a request of its own (docs/spec/api.md §3.11). */
function refusal({ actor, origin, method }: Adding, groupId: string, code: string): Refusal {
  return { actor, origin, target_type: 'entry_group', target_id: groupId, route: addMany.path, method, code };
}

async function resultsOf(
  { deps }: Adding,
  judged: readonly JudgedChange[],
  outcomes: ReadonlyMap<JudgedChange, Outcome>,
): Promise<Result[]> {
  const done = judged.flatMap((one) => (outcomes.get(one)?.problem === null ? [one.change] : []));
  const members = done.length === 0 ? [] : await listMembersAmong(deps.db, done);
  const rows = new Map(members.map((row) => [`${row.entry_group_id} ${row.user_id}`, row]));
  return judged.map((one) => {
    const { groupId, targetId } = one.change;
    const { problem: refused, isChange } = outcomes.get(one) ?? UNKNOWN;
    const row = rows.get(`${groupId} ${targetId}`);
    if (refused === null && row !== undefined)
      return { entry_group_id: groupId, status: isChange ? 200 : 201, user: asGroupUser(row), problem: null };
    // The change was made, and undone by someone else.
    const problem = refused ?? new AppError('not_found');
    return { entry_group_id: groupId, status: problem.status, user: null, problem: told(problem) };
  });
}

/** Each round returns all outcomes, so a missing one is a bug. */
const UNKNOWN: Outcome = { problem: new AppError('internal'), isChange: false };

function told({ message, code, errors, details }: AppError): NonNullable<Result['problem']> {
  return {
    message,
    code,
    ...(errors === undefined ? {} : { errors: copied(errors) }),
    ...(details === undefined ? {} : { details }),
  };
}

const copied = (errors: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(errors).map(([key, texts]) => [key, [...texts]]));

interface Removal {
  readonly entry_group_id: string;
  readonly user_id: string;
  readonly rotation_due: boolean;
}

/**
 * An admin's client rotates the key later (docs/spec/decisions.md G6).
 * @throws AppError `forbidden` for oneself and other admins, `not_found`
 */
export async function removeMember(deps: Deps, caller: Caller, groupId: string, userId: string): Promise<Removal> {
  const { actor, origin } = caller;
  await deps.db.transact(async (tx) => {
    await groupInTransaction(tx, caller, groupId);
    if (userId === actor.userId) throw new AppError('forbidden', { message: MEMBER_TEXTS.oneself });
    const role = await findRole(tx, groupId, userId);
    if (role === null) throw new AppError('not_found');
    if (role === 'admin') throw new AppError('forbidden', { message: MEMBER_TEXTS.otherAdmin });
    // Comes first, because it reads the membership.
    await recordDeparture(tx, deps, { userId, groupIds: [groupId], cause: 'removed' });
    await noteLeaving(tx, deps, actor.userId, { userId, groupIds: [groupId], needsKeys: false });
    await deleteMember(tx, groupId, userId);
    await markRotationDue(tx, groupId);
    await recordEvent(tx, deps, {
      event_type: 'role_removed',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { user_id: userId, role },
    });
  });
  return { entry_group_id: groupId, user_id: userId, rotation_due: true };
}
