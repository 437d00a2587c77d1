/** Opens a revision and seals it as the next one (docs/spec/crypto.md §10, §11). */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openField, openFile, sealField, sealFile } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { type FieldContent, wipeContent } from '@passwordbroker/core/domain/fields/payload';
import type { InputOf, OutputOf } from '../calls.ts';
import { columnsOf, wellFormed } from './contents.ts';
import { openingKeyOf, sealingKeyOf, type HeldGroup } from '../groups/held-group.ts';

/**
 * @throws KeyringError `key_mismatch`, `read_only`; CryptoError if the old revision or its body does not open
 */
export async function resealRevision(
  group: HeldGroup,
  { place, from, title, body }: InputOf<'reseal'>,
): Promise<OutputOf<'reseal'>> {
  const key = sealingKeyOf(group);
  const opened = await openField(openingKeyOf(group, from.gk_version), { ...place, rev: from.rev }, from);
  try {
    const renamed = { ...opened, title: wellFormed(title ?? opened.title) };
    if (body === undefined) return { ...(await sealed(key, place, renamed)), body: null };
    const fresh = await withNewBody(place.fieldId, renamed, new Uint8Array(body));
    try {
      return { ...(await sealed(key, place, fresh.content)), body: fresh.body };
    } finally {
      wipeContent(fresh.content);
    }
  } finally {
    wipeContent(opened);
  }
}

async function sealed(key: GroupKey, place: InputOf<'reseal'>['place'], content: FieldContent) {
  return { revision: await sealField(key, place, content), columns: columnsOf(content) };
}

/** A new upload gets a new key and salt, even for the same bytes. */
async function withNewBody(fieldId: string, content: FieldContent, body: Uint8Array<ArrayBuffer>) {
  if (content.type !== 'file') throw new CryptoError('payload');
  const bytes = await openFile(fieldId, content.file, [body]);
  const { name, mime } = content.file;
  const fresh = await sealFile(fieldId, { name, mime, bytes }).finally(() => bytes.fill(0));
  return { content: { ...content, file: fresh.secret }, body: new Blob([fresh.body]) };
}
