/** Entries of a file as new revisions of existing ones: which fields pair, and which of their values differ. */
import { sameBytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { ExchangeTree, PlainContent, TreeField } from '@passwordbroker/core/domain/exchange/tree';
import { hasContents, openField } from '@passwordbroker/core/domain/fields/field';
import { type FieldContent, wipeContent } from '@passwordbroker/core/domain/fields/payload';
import type { EntryPlan, FieldPlan } from '@passwordbroker/core/domain/import/import-into';
import type { InputOf, OutputOf } from '../calls.ts';
import type { DifferingField } from './import-calls.ts';
import { changedSiteRules } from '@passwordbroker/core/domain/sites/changed-site-rules';
import type { SiteRules } from '@passwordbroker/core/domain/sites/site-rules';
import { heldGroupOf, openingKeyOf, type OpenSession } from '../open-session.ts';

type Paired = InputOf<'pairImport'>['entries'][number];

/** What is known of the duplicates that become revisions. */
export interface Revising {
  readonly pairs: OutputOf<'pairImport'>;
  /** Answers the fields that differ. @throws KeyringError for a group that is not open */
  compare(session: OpenSession, values: InputOf<'compareValues'>['values']): Promise<readonly DifferingField[]>;
  /** The same for these entries alone. */
  only(entries: readonly number[]): Sealable;
}

/** What sealing needs. */
export interface Sealable {
  /** The plan of an entry, or null for one that is not revised. @throws RangeError before all values were compared */
  planOf(at: number): Exclude<EntryPlan, string> | null;
  /** Revised fields keep their title, and links their site rules. */
  readonly tree: () => ExchangeTree;
}

interface Pair {
  readonly at: number;
  readonly field: TreeField;
  /** Of the existing field. */
  title: string;
  /** Of a link: what the person chose for the existing one, with the new address. */
  sites?: SiteRules;
  plan: FieldPlan | null;
}

/** @param entries each existing entry once */
export function revising(tree: ExchangeTree, entries: readonly Paired[]): Revising {
  const pairs = new Map<string, Pair>();
  const plans = new Map(
    entries.map(({ at, entryGroupId, entryId, fields: existing }) => {
      const fields = pairFields(tree.entries[at]?.fields ?? [], existing).map(({ field, other }) => {
        if (other === null) return null;
        const pair: Pair = { at, field, title: other.title, plan: null };
        pairs.set(other.field_id, pair);
        return pair;
      });
      return [at, { entryGroupId, entryId, fields }] as const;
    }),
  );
  const only = (some: typeof plans): Sealable => ({
    planOf(at) {
      const plan = some.get(at);
      if (plan === undefined) return null;
      const fields = plan.fields.map((pair) => {
        if (pair !== null && pair.plan === null) throw new RangeError('Values are compared before they are sealed');
        return pair?.plan ?? 'add';
      });
      return { entryGroupId: plan.entryGroupId, entryId: plan.entryId, fields };
    },

    tree: () => ({
      ...tree,
      entries: tree.entries.map((entry, at) => {
        const fields = some.get(at)?.fields;
        return fields === undefined
          ? entry
          : { ...entry, fields: entry.fields.map((field, index) => titled(field, fields[index] ?? null)) };
      }),
    }),
  });
  return {
    pairs: {
      open: entries.flatMap(({ entryGroupId, entryId, fields }) =>
        fields.flatMap((field) => (pairs.has(field.field_id) ? [{ entryGroupId, entryId, field }] : [])),
      ),

      differing: entries.flatMap(({ at, fields }) => [
        ...(plans.get(at)?.fields ?? []).flatMap((pair, index) => {
          const field = tree.entries[at]?.fields[index];
          return pair === null && field !== undefined ? [{ at, title: titleOf(field) }] : [];
        }),
        ...fields.flatMap(({ field_id, title }) => (pairs.has(field_id) ? [] : [{ at, title }])),
      ]),
    },

    async compare(session, values) {
      const differing: DifferingField[] = [];
      for (const { place, envelope } of values) {
        const pair = pairs.get(place.fieldId);
        if (pair === undefined) continue;
        const key = openingKeyOf(heldGroupOf(session, place.entryGroupId), envelope.gk_version);
        // A value that does not open is another one than that of the file.
        const present = await openField(key, place, envelope).catch((failure: unknown) => {
          if (failure instanceof CryptoError) return null;
          throw failure;
        });
        pair.plan = { fieldId: place.fieldId, baseRev: place.rev };
        if (present === null) {
          differing.push(pair);
          continue;
        }
        const content = pair.field.revisions.at(-1)?.content;
        if (content !== undefined && (await isSame(content, present))) pair.plan = 'skip';
        pair.title = present.title;
        if (pair.plan !== 'skip' || titleOf(pair.field).trim() !== present.title.trim()) differing.push(pair);
        if (content?.type === 'link' && present.type === 'link')
          pair.sites = changedSiteRules(
            { value: new TextDecoder().decode(present.value), rules: present.sites },
            content.value,
          );
        wipeContent(present);
      }
      return differing.map(({ at, title }) => ({ at, title }));
    },
    only: (chosen) => only(new Map([...plans].filter(([at]) => chosen.includes(at)))),
  };
}

function titled(field: TreeField, pair: Pair | null): TreeField {
  const present = field.revisions.at(-1);
  if (pair === null || present === undefined) return field;
  const content = { ...present.content, title: pair.title };
  const kept = content.type === 'link' && pair.sites !== undefined ? { ...content, sites: pair.sites } : content;
  return { ...field, revisions: [{ ...present, content: kept }] };
}

type Existing = Pick<Paired['fields'][number], 'field_id' | 'type' | 'title'>;

/** Fields pair by kind and title, then by kind alone if both entries have one field of it. Each pairs once. */
export function pairFields(
  fields: readonly TreeField[],
  existing: readonly Existing[],
): readonly { readonly field: TreeField; readonly other: Existing | null }[] {
  const free = new Set(existing);
  const take = (found: Existing | undefined): Existing | null => {
    if (found === undefined) return null;
    free.delete(found);
    return found;
  };
  const byTitle = fields.map((field) =>
    take([...free].find(({ type, title }) => type === field.type && title.trim() === titleOf(field).trim())),
  );
  const isSingle = (of: readonly { readonly type: string }[], wanted: string) =>
    of.filter(({ type }) => type === wanted).length === 1;
  return fields.map((field, at) => {
    const { type } = field;
    const isOnly = isSingle(fields, type) && isSingle(existing, type);
    return { field, other: byTitle[at] ?? (isOnly ? take([...free].find((one) => one.type === type)) : null) };
  });
}

const titleOf = ({ revisions }: TreeField) => revisions.at(-1)?.content.title ?? '';

/** Whether both have the same value; titles do not count. */
async function isSame(content: PlainContent, present: FieldContent): Promise<boolean> {
  if (present.type === 'file') return content.type === 'file' && hasContents(present.file, content.bytes);
  if (content.type === 'file' || content.type !== present.type) return false;
  const isValueSame = sameBytes(utf8(content.value), present.value);
  if (content.type === 'password') return isValueSame && present.type === 'password' && content.login === present.login;
  if (content.type !== 'TOTP' || present.type !== 'TOTP') return isValueSame;
  return isValueSame && content.algorithm === present.totp.algorithm && content.period === present.totp.period;
}
