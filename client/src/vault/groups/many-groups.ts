/**
 * Batches requests about many groups, for example when a tree is shared. A group that an answer omits is
 * requested alone, for its refusal.
 */
import type { GroupUser, GroupUserWithCertificate, RosterAnswer } from '@passwordbroker/core/contract/entities';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import * as manyGroups from '@passwordbroker/core/contract/groups/many-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { AppError, PROBLEM_STATUS, type ProblemCode } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { OutputOf } from '../../keyring/calls.ts';
import type { Http } from '../../transport/http.ts';
import { untilAborted } from '../../transport/waiting.ts';

type Body = OutputOf<'addMember'>;

export interface ManyGroups {
  members(groupId: string, signal?: AbortSignal): Promise<readonly GroupUserWithCertificate[]>;
  /** @param from known version; null: the newest only */
  roster(groupId: string, from: number | null): Promise<RosterAnswer>;
  /** @throws AppError like the call for one group; what `make` throws */
  change(groupId: string, make: () => Promise<Body>): Promise<GroupUser>;
}

const MOST = LIMITS.groupsAtOnce;
/** Sent from this size on, while the next ones are sealed. */
const PORTION = 25;
/** Leaves room for the rest of the body. */
const HEAVIEST = LIMITS.groupKeyBytes - LIMITS.rosterJsonBytes;
const AROUND_ACT = 1024;

export function openManyGroups(http: Http): ManyGroups {
  const lists = gathered({ send: (asks: readonly ListAsk[]) => sendLists(http, asks), enough: MOST, most: MOST });
  const rosters = gathered({ send: (asks: readonly RosterAsk[]) => sendRosters(http, asks), enough: MOST, most: MOST });
  const acts = gathered({
    send: (asks: readonly Addition[]) => sendAdditions(http, asks),
    enough: PORTION,
    most: MOST,
    heaviest: HEAVIEST,
    weigh: ({ body }) => (body.roster_base64?.length ?? 0) + (body.encrypted_aes_password?.length ?? 0) + AROUND_ACT,
  });
  return {
    members: (groupId, signal) =>
      untilAborted(
        lists.ask(() => ({ groupId, signal })),
        signal,
      ),
    roster: (groupId, from) => rosters.ask(() => ({ groupId, from })),
    change: (groupId, make) => acts.ask(async () => ({ groupId, body: await make() })),
  };
}

interface ListAsk {
  readonly groupId: string;
  readonly signal: AbortSignal | undefined;
}

async function sendLists(http: Http, asks: readonly ListAsk[]) {
  const alone = ({ groupId, signal }: ListAsk) => http.call(groups.members, { params: { g: groupId }, signal });
  if (asks.length === 1) return asks.map((ask) => () => alone(ask));
  const query = { entry_group_ids: asks.map(({ groupId }) => groupId) };
  const answer = await http.call(manyGroups.membersOf, { query });
  const certificates = new Map(answer.certificates.map((one) => [one.fpr, one]));
  const found = new Map(answer.groups.map(({ entry_group_id, users }) => [entry_group_id, users]));
  return asks.map((ask) => () => {
    const users = found.get(ask.groupId);
    // Callers check that the key belongs to this person.
    return users?.map((one) => ({ ...one, certificate: certificates.get(one.fpr ?? '') ?? null })) ?? alone(ask);
  });
}

interface RosterAsk {
  readonly groupId: string;
  readonly from: number | null;
}

async function sendRosters(http: Http, asks: readonly RosterAsk[]) {
  const alone = ({ groupId, from }: RosterAsk) =>
    http.call(groups.roster, { params: { g: groupId }, query: from === null ? {} : { from } });
  if (asks.length === 1) return asks.map((ask) => () => alone(ask));
  const query = { entry_group_ids: asks.map(({ groupId }) => groupId), from: asks.map(({ from }) => from) };
  const { rosters } = await http.call(manyGroups.rostersOf, { query });
  const found = new Map(rosters.map((one) => [one.entry_group_id, one]));
  return asks.map((ask) => () => found.get(ask.groupId) ?? alone(ask));
}

interface Addition {
  readonly groupId: string;
  readonly body: Body;
}

type Outcomes = readonly (() => GroupUser | Promise<GroupUser>)[];

async function sendAdditions(http: Http, asks: readonly Addition[]): Promise<Outcomes> {
  const [first] = asks;
  if (first !== undefined && asks.length === 1) {
    return [() => http.call(members.add, { params: { g: first.groupId }, body: first.body })];
  }
  const acts = asks.map(({ groupId, body }) => ({ entry_group_id: groupId, ...body }));
  try {
    const { results } = await http.call(manyGroups.addMany, { body: { acts } });
    return asks.map(
      ({ groupId }, at) =>
        () =>
          outcomeOf(groupId, results[at]),
    );
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'payload_too_large') throw failure;
    // A proxy accepts less than the server.
    const half = Math.ceil(asks.length / 2);
    return [...(await sendHalf(http, asks.slice(0, half))), ...(await sendHalf(http, asks.slice(half)))];
  }
}

const sendHalf = (http: Http, asks: readonly Addition[]): Promise<Outcomes> =>
  sendAdditions(http, asks).catch((failure: unknown) =>
    asks.map(() => () => {
      throw failure;
    }),
  );

type Result = AnswerOf<typeof manyGroups.addMany>['results'][number];

function outcomeOf(groupId: string, result: Result | undefined): GroupUser {
  if (result?.user?.entry_group_id === groupId) return result.user;
  const { code = 'internal', message, errors, details } = result?.problem ?? {};
  const isKnown = Object.hasOwn(PROBLEM_STATUS, code);
  throw new AppError(isKnown ? (code as ProblemCode) : 'internal', {
    ...(message === undefined ? {} : { message }),
    ...(errors === undefined ? {} : { errors }),
    ...(details === undefined ? {} : { details }),
  });
}

/** Batches requests that are made at about the same time. */
interface Gathered<Ask, Answer> {
  /**
   * Sends when `enough` or all prepared asks are ready and the previous batch has returned.
   * @throws what `prepare` throws; the failure of the batch
   */
  readonly ask: (prepare: () => Ask | Promise<Ask>) => Promise<Answer>;
}

interface Options<Ask, Answer> {
  /** Answers in the order of the asks: a function that returns the value or throws. */
  readonly send: (asks: readonly Ask[]) => Promise<readonly (() => Answer | Promise<Answer>)[]>;
  /** Sent without waiting for more. */
  readonly enough: number;
  readonly most: number;
  /** Maximum sum of `weigh` per request; a heavier ask goes alone. */
  readonly heaviest?: number;
  readonly weigh?: (ask: Ask) => number;
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (failure: unknown) => void;
}

export function gathered<Ask, Answer>({
  send,
  enough,
  most,
  heaviest = Infinity,
  weigh = () => 0,
}: Options<Ask, Answer>): Gathered<Ask, Answer> {
  let waiting: Waiting<Ask, Answer>[] = [];
  let preparing = 0;
  let underWay = 0;

  /** Runs after the turn, so that asks of one turn go together. */
  const lookSoon = () => void setTimeout(look);

  function look() {
    while (waiting.length >= enough || (waiting.length > 0 && preparing === 0 && underWay === 0)) {
      const count = fitting();
      const portion = waiting.slice(0, count);
      waiting = waiting.slice(count);
      void sendOff(portion);
    }
  }

  function fitting(): number {
    let weight = 0;
    const tooHeavy = waiting.findIndex(({ ask }, at) => (weight += weigh(ask)) > heaviest && at > 0);
    return Math.min(tooHeavy < 0 ? waiting.length : tooHeavy, most);
  }

  async function sendOff(portion: readonly Waiting<Ask, Answer>[]) {
    underWay += 1;
    try {
      const answers = await send(portion.map(({ ask }) => ask));
      for (const [at, { resolve, reject }] of portion.entries()) {
        const answer = answers[at];
        if (answer === undefined) reject(new Error('The answer is too short'));
        else resolve(Promise.resolve().then(answer));
      }
    } catch (failure) {
      for (const { reject } of portion) reject(failure);
    } finally {
      underWay -= 1;
      lookSoon();
    }
  }

  return {
    async ask(prepare) {
      preparing += 1;
      let ask: Ask;
      try {
        ask = await prepare();
      } finally {
        preparing -= 1;
        lookSoon();
      }
      return new Promise((resolve, reject) => waiting.push({ ask, resolve, reject }));
    },
  };
}
