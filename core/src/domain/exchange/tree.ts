import type { Bytes } from '../../crypto/bytes.ts';
import type { TotpAlgorithm } from '../fields/field-kinds.ts';
import type { SiteRules } from '../sites/site-rules.ts';

/** What every reader makes of a file, and every writer takes. */
export interface ExchangeTree {
  /** Parents before children; the first is the root, named by the importer. */
  readonly groups: readonly TreeGroup[];
  readonly entries: readonly TreeEntry[];
  readonly skipped: readonly SkippedThing[];
}

export const hasFiles = ({ entries }: Pick<ExchangeTree, 'entries'>): boolean =>
  entries.some(({ fields }) => fields.some(({ type }) => type === 'file'));

export interface TreeGroup {
  readonly name: string;
  /** Index in `groups`; null for the root. */
  readonly parent: number | null;
  readonly created: number | null;
  readonly modified: number | null;
}

export interface TreeEntry {
  readonly group: number;
  readonly title: string;
  readonly tags: readonly string[];
  /** Beginning of the day in UTC. */
  readonly expires: number | null;
  readonly created: number | null;
  readonly modified: number | null;
  readonly fields: readonly TreeField[];
}

/** Oldest first. */
export interface TreeField {
  readonly type: PlainContent['type'];
  readonly revisions: readonly TreeRevision[];
}

export interface TreeRevision {
  readonly content: PlainContent;
  readonly at: number | null;
}

export type PlainContent =
  | { readonly type: 'password'; readonly title: string; readonly login: string; readonly value: string }
  | { readonly type: 'note'; readonly title: string; readonly value: string }
  | {
      readonly type: 'link';
      readonly title: string;
      readonly value: string;
      /** Rules that an existing link keeps. Absent: made from the value, as for each link that was read from a file. */
      readonly sites?: SiteRules;
    }
  | {
      readonly type: 'TOTP';
      readonly title: string;
      readonly value: string;
      readonly algorithm: TotpAlgorithm;
      readonly period: number;
    }
  | { readonly type: 'file'; readonly title: string; readonly name: string; readonly bytes: Bytes };

/** Something that was left out or became something else. `kind` is a noun in the singular. */
export interface SkippedThing {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
  /** The first five: 'Group / Title'. They are shown in the browser and never sent. */
  readonly places?: readonly string[];
}

const PLACES = 5;

export function skippedCounter() {
  const counts = new Map<string, { kind: string; reason: string; count: number; places: string[] }>();
  return {
    add(kind: string, reason: string, count = 1, place?: string): void {
      const key = `${kind}\n${reason}`;
      const known = counts.get(key) ?? { kind, reason, count: 0, places: [] };
      known.count += count;
      if (place !== undefined && known.places.length < PLACES) known.places.push(place);
      counts.set(key, known);
    },
    list: (): SkippedThing[] =>
      [...counts.values()].map(({ places, ...thing }) => (places.length === 0 ? thing : { ...thing, places })),
  };
}

export type SkippedCounter = ReturnType<typeof skippedCounter>;
