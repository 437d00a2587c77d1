/** Which fields references name: the names are the server's, so nothing is opened and nothing recorded. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { resolve, ResolvedField } from '@passwordbroker/core/contract/entries/resolve';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { portions } from '../db/portions.ts';
import { asField, byKindAndTitle } from '../fields/field-answers.ts';
import { listFields } from '../fields/field-repository.ts';
import { elementsOf, readForest } from '../groups/tree.ts';
import type { Context, Deps } from '../http/context.ts';
import { listTitles, type TitledEntry } from './entry-repository.ts';

type Asked = BodyOf<typeof resolve>;

interface Caller {
  readonly deps: Pick<Deps, 'db'>;
  readonly actor: { readonly userId: string };
}

/** One statement or two for the tree, one for the entries of some hundred groups, one for the fields of some hundred. */
export async function resolveReferences({
  deps: { db },
  actor,
  body,
}: Pick<Context<typeof resolve, Asked>, 'body'> & Caller): Promise<AnswerOf<typeof resolve>> {
  const forest = await readForest(db, actor.userId);
  const refs = body.refs.map(({ groups, entry, field }) => ({
    groupIds: forest.at(groups.map(elementOf)),
    entry: elementOf(entry),
    field: field === undefined ? null : elementOf(field),
  }));
  const entries = new Map<string, Map<string, TitledEntry[]>>();
  const wanted = new Set(refs.map(({ entry }) => entry));
  for (const some of portions([...new Set(refs.flatMap(({ groupIds }) => groupIds))])) {
    for (const row of await listTitles(db.read, some)) {
      for (const element of elementsOf(row.title, row.entry_id)) {
        if (!wanted.has(element)) continue;
        const named = entries.get(row.entry_group_id) ?? new Map<string, TitledEntry[]>();
        entries.set(row.entry_group_id, named);
        const same = named.get(element);
        if (same === undefined) named.set(element, [row]);
        else same.push(row);
      }
    }
    await nextTurn();
  }
  const candidates = refs.map(({ groupIds, entry }) => groupIds.flatMap((id) => entries.get(id)?.get(entry) ?? []));
  const fields = new Map<string, Field[]>();
  for (const some of portions([...new Set(candidates.flat().map(({ entry_id }) => entry_id))])) {
    for (const row of await listFields(db, some)) {
      const of = fields.get(row.entry_id);
      if (of === undefined) fields.set(row.entry_id, [asField(row)]);
      else of.push(asField(row));
    }
  }
  for (const of of fields.values()) of.sort(byKindAndTitle);
  const matches: ResolvedField[][] = [];
  for (const [at, { field }] of refs.entries()) {
    matches.push(matchesOf(candidates[at] ?? [], fields, field));
    await nextTurn();
  }
  return { matches };
}

function elementOf(text: string): string {
  return text.startsWith('id:') ? text.toLowerCase() : text.normalize('NFC');
}

function matchesOf(
  entries: readonly TitledEntry[],
  fields: ReadonlyMap<string, readonly Field[]>,
  named: string | null,
): ResolvedField[] {
  const matches: ResolvedField[] = [];
  for (const { entry_group_id, entry_id } of entries) {
    for (const { field_id, type, title, rev, gk_version } of fittingOf(fields.get(entry_id) ?? [], named)) {
      if (matches.length === LIMITS.matchesOfReference) return matches;
      matches.push({ entry_group_id, entry_id, field_id, type, title, rev, gk_version });
    }
  }
  return matches;
}

/** A type names a field of an entry in which no title does. */
function fittingOf(fields: readonly Field[], named: string | null): readonly Field[] {
  if (named === null) return fields;
  const titled = fields.filter(({ title, field_id }) => elementsOf(title, field_id).includes(named));
  return titled.length > 0 ? titled : fields.filter(({ type }) => type === named);
}
