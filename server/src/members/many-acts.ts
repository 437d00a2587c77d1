/** Changes members of many groups in one request, with the same checks as the calls for one group. */
import { addMany } from '@passwordbroker/core/contract/groups/many-groups';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvents } from '../audit/audit-log.ts';
import { type Refusal, recordRefusals } from '../audit/refusals.ts';
import type { Transact } from '../db/database.ts';
import { asGroupUser } from '../groups/group-answers.ts';
import type { Context } from '../http/context.ts';
import { asAppError } from '../http/answer/problem-answer.ts';
import { isSessionThere } from '../http/auth/session-repository.ts';
import { type JudgedChange, judgeChanges, sealedChange } from './judged-change.ts';
import { listMembersAmong } from './many-groups-repository.ts';
import { type Plan, type PlannedChange, planChanges } from './planned-change.ts';
import { eventOf, writePlanned } from './written-changes.ts';

type Adding = Context<typeof addMany, BodyOf<typeof addMany>>;
type Result = AnswerOf<typeof addMany>['results'][number];
/** Why it is not done; null when it is. `isChange`: of somebody who was a member before. */
interface Outcome {
  readonly problem: AppError | null;
  readonly isChange: boolean;
}

/**
 * All in one transaction, so that the disk is waited for once. Each is judged by itself, and what is refused changes nothing in the others; where the storage
 * does not serve, none of them is done, and the call is refused as a whole.
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
    // So much is decided by one look at the session that it has to hold until here.
    if (!(await isSessionThere(tx, context.actor.sessionId))) throw new AppError('unauthenticated');
    for (const round of roundsOf(judged)) {
      const came = await changeEach(tx, context, round);
      for (const [at, one] of round.entries()) outcomes.set(one, came[at] ?? UNKNOWN);
    }
  });
  return { results: await resultsOf(context, judged, outcomes) };
}

/** Acts on the same group follow each other: the later one is judged by what the earlier one has made of it. */
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

/** In different groups. */
async function changeEach(tx: Transact, context: Adding, round: readonly JudgedChange[]): Promise<readonly Outcome[]> {
  const { deps, requestId } = context;
  const plans = await planChanges(tx, deps, context, round);
  await writePlanned(tx, plans.filter(isPlanned));
  const outcomes = plans.map((plan) =>
    isPlanned(plan)
      ? { problem: null, isChange: plan.before !== null }
      : { problem: asAppError(plan.problem, requestId, deps.log), isChange: false },
  );
  await recordEvents(
    tx,
    deps,
    plans.filter(isPlanned).map((plan) => eventOf(context, plan)),
  );
  for (const [at, { change }] of round.entries()) {
    const problem = outcomes[at]?.problem;
    if (problem?.status === 403) await recordRefusals(tx, deps, refusal(context, change.groupId, problem.code));
  }
  return outcomes;
}

const isPlanned = (plan: Plan): plan is PlannedChange => !('problem' in plan);

/** As of a call that is refused as a whole (docs/spec/api.md §3.11). */
function refusal({ actor, origin, method }: Adding, groupId: string, code: string): Refusal {
  return { actor, origin, target_type: 'entry_group', target_id: groupId, route: addMany.path, method, code };
}

/** The groups after all changes. */
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
    // Done, and undone by somebody before it was told.
    const problem = refused ?? new AppError('not_found');
    return { entry_group_id: groupId, status: problem.status, user: null, problem: told(problem) };
  });
}

/** Of no act: each round answers for all that are in it. */
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
