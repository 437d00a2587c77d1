import { AppError } from '@passwordbroker/core/contract/problem';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';

/** Text for an error of a field action, by error code. */
export function problemText(failure: unknown): string {
  if (failure instanceof KeyringError) return FIELD_TEXTS.problems[failure.code] ?? failure.message;
  if (failure instanceof AppError) return firstText(failure) ?? failure.message;
  return failure instanceof Error ? failure.message : String(failure);
}

function firstText({ errors }: AppError): string | undefined {
  return errors === undefined ? undefined : Object.values(errors)[0]?.[0];
}
