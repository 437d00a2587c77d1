/** The body of a field update as the client creates it. */
import { sealField } from '@passwordbroker/core/domain/fields/field';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import type { SealedPlace } from './sealed-place.ts';

export async function nextRevision(
  { g, e, groupKey }: SealedPlace,
  { fieldId, baseRev }: { readonly fieldId: string; readonly baseRev: number },
  content: FieldContent,
) {
  const { type, title } = content;
  const place = { entryGroupId: g, entryId: e, fieldId, type, rev: baseRev + 1 };
  const login = type === 'password' ? { login: content.login } : {};
  const file = type === 'file' ? fileColumns(content) : {};
  return { title, ...login, ...file, base_rev: baseRev, ...(await sealField(groupKey, place, content)) };
}

const fileColumns = ({ file }: Extract<FieldContent, { type: 'file' }>) => ({
  file_name: file.name,
  file_mime: file.mime,
  file_size: file.size,
});
