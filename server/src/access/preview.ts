/** Builds the preview of an operation (docs/adr/0030-previews.md). */
import {
  type AccessChange,
  MOST_LISTED,
  type Preview,
  type PREVIEW_NOTES,
} from '@passwordbroker/core/contract/groups/access';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';
import { countUnchanged, countUnchangedOfAll } from '../former-members/known-repository.ts';
import type { Actor } from '../http/context.ts';

/** The caller. */
export type Asker = Pick<Actor, 'userId'>;

export interface ChangeOfPerson {
  readonly userId: string;
  readonly name: string;
  readonly from: Role | null;
  readonly to: Role | null;
  readonly entryGroups: number;
  readonly entries: number;
}

export interface Effect {
  readonly changes: readonly ChangeOfPerson[];
  /** The groups in which somebody's access changes. */
  readonly entryGroups: number;
  readonly entries: number;
  /** Groups in which to count opened values. Null unless the caller is admin of all of them. */
  readonly knownIn: { readonly groupIds: readonly string[]; readonly entryIds?: readonly string[] } | null;
  readonly names?: Preview['names'];
  readonly peopleWithNames?: number;
  readonly notes?: readonly (typeof PREVIEW_NOTES)[number][];
}

export const NO_EFFECT: Effect = { changes: [], entryGroups: 0, entries: 0, knownIn: null };

/** Sorts people by name, and counts what those who lose access have opened. */
export async function asPreview(db: Database, { userId: callerId }: Asker, effect: Effect): Promise<Preview> {
  const changes = effect.changes.toSorted(byName);
  const gains = changes.filter(({ from }) => from === null);
  const loses = changes.filter(({ to }) => to === null);
  const others = changes.filter(({ from, to }) => from !== null && to !== null);
  const known = await knownBy(db, callerId, loses.slice(0, MOST_LISTED), effect.knownIn);
  const listed = (all: readonly ChangeOfPerson[], ofWhom: (userId: string) => number | null = () => null) =>
    all.slice(0, MOST_LISTED).map((one): AccessChange => ({
      user: { user_id: one.userId, name: one.name },
      from: one.from,
      to: one.to,
      entry_groups: one.entryGroups,
      entries: one.entries,
      known: ofWhom(one.userId),
    }));
  return {
    gains: listed(gains),
    loses: listed(loses, (userId) => (known === null ? null : (known.by.get(userId) ?? 0))),
    changes: listed(others),
    names: [...(effect.names ?? [])],
    totals: {
      gains: gains.length,
      loses: loses.length,
      changes: others.length,
      names: effect.peopleWithNames ?? 0,
      known: known?.all ?? null,
      entry_groups: effect.entryGroups,
      entries: effect.entries,
    },
    notes: [...(changes.length === 0 ? (['nobody_changes'] as const) : []), ...(effect.notes ?? [])],
  };
}

interface Known {
  readonly by: ReadonlyMap<string, number>;
  readonly all: number;
}

/** Null if the caller may not know, or if nobody loses access. */
async function knownBy(
  db: Database,
  callerId: string,
  people: readonly ChangeOfPerson[],
  knownIn: Effect['knownIn'],
): Promise<Known | null> {
  if (knownIn === null || people.length === 0) return null;
  const of = { groupIds: knownIn.groupIds, userIds: people.map(({ userId }) => userId) };
  const within = { callerId, entryIds: knownIn.entryIds };
  const [rows, all] = [await countUnchanged(db, of, within), await countUnchangedOfAll(db, of, within)];
  return { by: new Map(rows.map(({ user_id, opened }) => [user_id, Number(opened)])), all };
}

const byName = (a: ChangeOfPerson, b: ChangeOfPerson) =>
  compareTitles({ title: a.name, id: a.userId }, { title: b.name, id: b.userId });
