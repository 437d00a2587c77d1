/** The value of a field by its kind. */
import type { Field } from '@passwordbroker/core/contract/entities';
import { FileValue } from './file-value.tsx';
import { PasswordValue } from './password-value.tsx';
import { TextValue } from './text-value.tsx';
import { TotpValue } from './totp-value.tsx';
import type { FieldVerbs } from './use-field-verbs.ts';

export function FieldValue({ field, verbs }: { readonly field: Field; readonly verbs: FieldVerbs }) {
  switch (field.type) {
    case 'password':
      return <PasswordValue field={field} verbs={verbs} />;
    case 'file':
      return <FileValue field={field} verbs={verbs} />;
    case 'TOTP':
      return <TotpValue field={field} verbs={verbs} />;
    case 'link':
    case 'note':
      return <TextValue field={field} verbs={verbs} />;
  }
}
