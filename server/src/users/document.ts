/** Sealed documents of the owner: written whole, one version after the other, so that two of his devices cannot overwrite each other unseen. */
import type { writeDocument } from '@passwordbroker/core/contract/own-keys';
import { DOCUMENT_NAMES } from '@passwordbroker/core/domain/document-names';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
import { isDocumentShape } from '@passwordbroker/core/domain/sealed-shape';
import type { Context } from '../http/context.ts';
import { storeDocument } from './document-repository.ts';
import { replacedVersion } from './key-slot.ts';

/** @throws AppError `not_found` for a name that there is not, `bad_sealed_value`, `slot_conflict` with the present version */
export async function writeOwnDocument(
  context: Context<typeof writeDocument, BodyOf<typeof writeDocument>>,
): Promise<{ name: string; version: number }> {
  const { deps, actor, params, body } = context;
  const name = DOCUMENT_NAMES.find((known) => known === params.name);
  if (name === undefined) throw new AppError('not_found');
  const blob = Buffer.from(body.blob_base64, 'base64');
  if (!isDocumentShape(blob)) {
    throw new AppError('bad_sealed_value', { errors: { blob_base64: [TEXTS.malformed('blob base64')] } });
  }
  const version = replacedVersion(context);
  await deps.db.transact((tx) => storeDocument(tx, { userId: actor.userId, name, blob, version }));
  return { name, version: version + 1 };
}
