import type { Field } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Copied, FieldVerbs } from './use-field-verbs.ts';

export interface ValueProps<Type extends FieldType = FieldType> {
  readonly field: Extract<Field, { type: Type }>;
  readonly verbs: FieldVerbs;
}

/** How often this part of the value was copied. A new number shows the 'copied' tag again. */
export const copiesOf = ({ copied }: FieldVerbs, what: Copied) => (copied?.what === what ? copied.count : 0);
