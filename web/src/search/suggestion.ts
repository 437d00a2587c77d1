/** One line below the search box: a place to go to, or something to do. */
import type { TreeRole } from '@passwordbroker/core/domain/policy';

/** What the header can do from its search box. */
export type HeaderAct = 'add tree' | 'import' | 'theme' | 'lock' | 'log' | 'keys';

export interface Suggestion {
  /** Its kind and the id of what it stands for; good as a part of an element's id. */
  readonly id: string;
  readonly kind: 'group' | 'action' | 'entry';
  readonly title: string;
  /** Where it is: 'Engineering / Databases'; empty for a root and for an action. */
  readonly above: string;
  /** Groups only. */
  readonly role: TreeRole | null;
  readonly target: { readonly address: string } | { readonly act: HeaderAct };
}

/** How many of each kind are listed. */
export const MOST_SUGGESTED = 5;
