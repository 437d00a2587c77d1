/** What a field shows in the clear: the copy of what is sealed with its value, which lists and search need. */
import type { PlainContent, SealedColumns } from '../../keyring/calls.ts';
import type { NewField } from '../vault.ts';

type TextField = Exclude<NewField, { type: 'file' }>;

export function contentOf(field: TextField): PlainContent {
  const { title, value: text } = field;
  if (field.type === 'password') return { title, login: field.login, text };
  if (field.type === 'TOTP') return { title, text, totp: { algorithm: field.algorithm, period: field.period } };
  return { title, text };
}

/** The columns as the wire names them; only those that the kind has. */
export function plainColumns({ title, login, totp, file }: Partial<SealedColumns> & { readonly title: string }) {
  return {
    title,
    ...(login === null || login === undefined ? {} : { login }),
    ...(totp === null || totp === undefined ? {} : { totp_hash_algorithm: totp.algorithm, totp_timeout: totp.period }),
    ...(file === null || file === undefined
      ? {}
      : { file_name: file.name, file_mime: file.mime, file_size: file.size }),
  };
}

/** A write whose bytes travel beside its members. */
export function formOf(members: Readonly<Record<string, string | number>>, body: Blob): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) form.set(name, String(value));
  form.set('file', body, 'body');
  return form;
}
