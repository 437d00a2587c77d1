import { File, KeyRound, Link, NotepadText, Timer, type LucideIcon } from 'lucide-react';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';

export const FIELD_ICONS: Readonly<Record<FieldType, LucideIcon>> = {
  password: KeyRound,
  TOTP: Timer,
  link: Link,
  note: NotepadText,
  file: File,
};

export function FieldKind({ type }: { readonly type: FieldType }) {
  const Icon = FIELD_ICONS[type];
  return (
    <>
      <Icon size={14} aria-hidden="true" />
      {FIELD_TEXTS.kinds[type]}
    </>
  );
}
