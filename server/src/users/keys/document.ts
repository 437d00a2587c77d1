/** Documents are replaced as a whole with a version check, so that devices cannot overwrite each other. */
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

/** Clients write above each version that they have seen, so one write must not exhaust them. */
const VERSION_STEP = 1_000_000;

interface DocumentVersion {
  readonly name: string;
  readonly version: number;
}

/**
 * @throws AppError `not_found`, `bad_sealed_value`, `payload_too_large`, `validation`, `slot_conflict`,
 * `conflict`
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

/** Returns 304 if `If-None-Match` names the version. @throws AppError `not_found`, `too_many_requests` */
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
