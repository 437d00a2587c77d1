/** Acts on members of many groups at once: nothing is done that the call of one group would refuse. */
import type { addMany } from '@passwordbroker/core/contract/many-groups';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Role } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { storageFailure } from '../db/failures.ts';
import { inSavepoint } from '../db/savepoint.ts';
import { asGroupUser } from '../entry-groups/group-answers.ts';
import type { Context } from '../http/context.ts';
import { asAppError } from '../http/problem-answer.ts';
import { isSessionThere } from '../http/session-repository.ts';
import { type JudgedChange, changeInAct, judgeChanges, recipientsIn, sealedChange } from './change-member.ts';
import { listMembersAmong } from './many-groups-repository.ts';

type Adding = Context<typeof addMany, BodyOf<typeof addMany>>;
type Result = AnswerOf<typeof addMany>['results'][number];
/** The role before, or why not. */
type Outcome = { readonly before: Role | null } | { readonly problem: AppError };

/**
 * One after the other in one transaction, so that the disk is waited for once; each is done or undone by itself. Where the storage does not serve, none of
 * them is done, and the call is refused as a whole.
 */
export async function changeMembersOfMany(context: Adding): Promise<AnswerOf<typeof addMany>> {
  const { deps, body } = context;
  const judged = await judgeChanges(
    deps,
    context,
    body.acts.map(({ entry_group_id, ...act }) => sealedChange(entry_group_id, act)),
  );
  const outcomes = await deps.db.transact(async (tx) => {
    // So much is decided by one look at the session that it has to hold until here.
    if (!(await isSessionThere(tx, context.actor.sessionId))) throw new AppError('unauthenticated');
    const recipientOf = recipientsIn(tx);
    const outcomes: Outcome[] = [];
    for (const one of judged) outcomes.push(await changeOne(tx, context, one, recipientOf));
    return outcomes;
  });
  return { results: await resultsOf(context, judged, outcomes) };
}

async function changeOne(
  tx: Transact,
  context: Adding,
  judged: JudgedChange,
  recipientOf: ReturnType<typeof recipientsIn>,
): Promise<Outcome> {
  const { deps, requestId } = context;
  try {
    return { before: await inSavepoint(tx, () => changeInAct(tx, deps, context, judged, recipientOf)) };
  } catch (failure) {
    if (storageFailure(failure) !== null) throw failure;
    const problem = asAppError(failure, requestId, deps.log);
    if (problem.status === 403) await recordRefusal(tx, context, judged.change.groupId, problem.code);
    return { problem };
  }
}

/** As of a call that is refused as a whole (`api.md` §3.11). */
async function recordRefusal(
  tx: Transact,
  { deps, actor, origin, method, url }: Adding,
  groupId: string,
  code: string,
): Promise<void> {
  const target = { target_type: 'entry_group' as const, target_id: groupId };
  const details = { route: url, method, code };
  await recordEvent(tx, deps, { event_type: 'access_refused', actor, origin, ...target, details });
}

/** As they are after all of them. */
async function resultsOf(
  { deps }: Adding,
  judged: readonly JudgedChange[],
  outcomes: readonly Outcome[],
): Promise<Result[]> {
  const done = judged.flatMap(({ change }, at) => (isDone(outcomes[at]) ? [change] : []));
  const members = done.length === 0 ? [] : await listMembersAmong(deps.db, done);
  const rows = new Map(members.map((row) => [`${row.entry_group_id} ${row.user_id}`, row]));
  return judged.map(({ change: { groupId, targetId } }, at) => {
    const outcome = outcomes[at];
    const row = rows.get(`${groupId} ${targetId}`);
    if (isDone(outcome) && row !== undefined) {
      const status = outcome.before === null ? 201 : 200;
      return { entry_group_id: groupId, status, user: asGroupUser(row), problem: null };
    }
    // Done, and undone by somebody before it was told.
    const problem = outcome !== undefined && 'problem' in outcome ? outcome.problem : new AppError('not_found');
    return { entry_group_id: groupId, status: problem.status, user: null, problem: told(problem) };
  });
}

const isDone = (outcome: Outcome | undefined) => outcome !== undefined && 'before' in outcome;

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
