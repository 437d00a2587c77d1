import type { Field } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Copied, FieldVerbs } from './use-field-verbs.ts';

/** What the value of one kind of field is drawn from. */
export interface ValueProps<Type extends FieldType = FieldType> {
  readonly field: Extract<Field, { type: Type }>;
  readonly verbs: FieldVerbs;
}

/** How often this part of the value was copied: grows, so that its tag appears anew. */
export const copiesOf = ({ copied }: FieldVerbs, what: Copied) => (copied?.what === what ? copied.count : 0);
