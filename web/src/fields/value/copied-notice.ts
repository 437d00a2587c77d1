import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';

/** Notice after copying the stored value; of a TOTP that is its key (docs/spec/product.md §8). */
export function copiedNotice(type: FieldType, title: string): string {
  const { keyCopied, noteCopied, valueCopied } = FIELD_TEXTS.activity;
  if (type === 'TOTP') return keyCopied(title);
  return type === 'note' ? noteCopied(title) : valueCopied(title);
}
