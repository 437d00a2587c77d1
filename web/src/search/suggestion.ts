import type { TreeRole } from '@passwordbroker/core/domain/policy';

/** Actions that the header runs. */
export type HeaderAction = 'add tree' | 'import' | 'theme' | 'lock' | 'log' | 'keys';

export interface Suggestion {
  /** Type and id; usable in a DOM id. */
  readonly id: string;
  readonly kind: 'group' | 'action' | 'entry';
  readonly title: string;
  /** 'Engineering / Databases'; empty for a root and for an action. */
  readonly above: string;
  /** null except for groups. */
  readonly role: TreeRole | null;
  readonly target: { readonly address: string } | { readonly action: HeaderAction };
}

/** Limit per type. */
export const MOST_SUGGESTED = 5;
