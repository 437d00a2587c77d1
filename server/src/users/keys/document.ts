/**
 * Sealed documents of the owner: replaced as a whole, with compare-and-set on the version, so that
 * two devices cannot overwrite each other unseen.
 */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import type { readDocument, writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import {
  DOCUMENT_NAMES,
  MAX_DOCUMENT_VERSION,
  type StoredDocumentName,
  maxDocumentBytes,
} from '@passwordbroker/core/domain/keyring/document-names';
import { isDocumentShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import { NotModified } from '../../http/answer/answer.ts';
import type { Context } from '../../http/context.ts';
import { ATTEMPT_LIMITS, countAttempt } from '../../platform/passwords/attempts.ts';
import { findDocument, storeDocument } from './document-repository.ts';
import { replacedVersion } from './key-slot.ts';

/** A write may raise the version by at most this much, because a client writes above each version that it has seen. */
const VERSION_STEP = 1_000_000;

interface DocumentVersion {
  readonly name: string;
  readonly version: number;
}

/**
 * @throws AppError `not_found` for an unknown name, `bad_sealed_value`, `payload_too_large`,
 * `validation`, `slot_conflict` with the current version, `conflict` for an account without keys
 */
export async function writeOwnDocument(
  context: Context<typeof writeDocument, BodyOf<typeof writeDocument>>,
): Promise<DocumentVersion> {
  const { deps, actor, params, body } = context;
  const name = nameOf(params.name);
  const blob = Buffer.from(body.blob_base64, 'base64');
  if (name === 'trust' && blob.length > maxDocumentBytes(name)) throw new AppError('payload_too_large');
  if (!isDocumentShape(blob, name)) {
    throw new AppError('bad_sealed_value', { errors: { blob_base64: [TEXTS.malformed('blob base64')] } });
  }
  const replaced = replacedVersion(context);
  const version = nextVersion(replaced, body.version);
  await deps.db.transact((tx) => storeDocument(tx, { userId: actor.userId, name, blob, replaced, version }));
  return { name, version };
}

/**
 * The document, or 304 if `If-None-Match` names its version.
 * @throws AppError `not_found`, `too_many_requests`
 */
export async function readOwnDocument(
  context: Context<typeof readDocument, undefined>,
): Promise<(DocumentVersion & { readonly blob_base64: string }) | NotModified> {
  const { deps, actor, params, header, head } = context;
  const name = nameOf(params.name);
  await countAttempt(deps, `document:${actor.userId}`, ATTEMPT_LIMITS.document);
  const document = await findDocument(deps.db, actor.userId, name);
  if (document === undefined) throw new AppError('not_found');
  const { n: version, blob } = document;
  const tag = `"${version}"`;
  head.setHeader('etag', tag);
  const isKnown = (header('if-none-match') ?? '').split(',').some((known) => known.trim() === tag);
  return isKnown ? new NotModified() : { name, version, blob_base64: blob.toString('base64') };
}

function nameOf(text: string): StoredDocumentName {
  const name = DOCUMENT_NAMES.find((known) => known === text);
  if (name === undefined) throw new AppError('not_found');
  return name;
}

function nextVersion(replaced: number, sent = replaced + 1): number {
  const most = Math.min(replaced + VERSION_STEP, MAX_DOCUMENT_VERSION);
  if (sent > replaced && sent <= most) return sent;
  throw refuse('version', TEXTS.between(replaced + 1, most)('version'));
}
