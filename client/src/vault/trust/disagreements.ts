import type * as z from 'zod/mini';
import type { FileField, PasswordField, TotpField } from '@passwordbroker/core/contract/entities';
import type { OpenedContent } from '../../keyring/calls.ts';
import type { Disagreement } from '../vault.ts';

type Columns<S extends z.core.$ZodType> = z.output<S>;

/** Plain columns of a list. Absent ones are not compared. */
export interface Listed {
  readonly title: string;
  readonly login?: string | null;
  readonly totp_hash_algorithm?: Columns<typeof TotpField>['totp_hash_algorithm'];
  readonly totp_timeout?: number;
  readonly file_name?: Columns<typeof FileField>['file_name'];
  readonly file_mime?: string;
  readonly file_size?: number;
  readonly type?: Columns<typeof PasswordField>['type'] | 'link' | 'note' | 'file' | 'TOTP';
}

/**
 * Lists the columns that differ from the sealed metadata; a server could have changed them
 * (docs/spec/crypto.md §10, M5). Spaces around a title do not count, because the server trims them.
 */
export function disagreementsOf(listed: Listed, { title, login, totp, file }: OpenedContent): readonly Disagreement[] {
  const differs = (column: unknown, sealed: unknown) => column !== undefined && column !== null && column !== sealed;
  const found: Disagreement[] = [];
  if (listed.title.trim() !== title.trim()) found.push('title');
  if (login !== null && differs(listed.login, login)) found.push('login');
  if (
    totp !== null &&
    (differs(listed.totp_hash_algorithm, totp.algorithm) || differs(listed.totp_timeout, totp.period))
  )
    found.push('totp');
  const isOtherFile =
    file !== null &&
    (differs(listed.file_name, file.name) ||
      differs(listed.file_mime, file.mime) ||
      differs(listed.file_size, file.size));
  if (isOtherFile) found.push('file');
  return found;
}
