import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import type {
  SlotType,
  removeSlot,
  replaceSlot,
  readDocument,
  writeDocument,
} from '@passwordbroker/core/contract/account/own-keys';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import { brokenUniqueness } from '../../db/failures.ts';
import type { Context, RequestContext } from '../../http/context.ts';
import { giveNotice } from '../../mail/outbox-repository.ts';
import { checkSlot } from './key-bundle.ts';
import { readKeyBundle, storeSlot, findDocument, storeDocument } from './key-repository.ts';
import { endUsedKit, removeOwnKit, storedSlot, usedKitOf } from './recovery-kit.ts';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import {
  DOCUMENT_NAMES,
  MAX_DOCUMENT_VERSION,
  type StoredDocumentName,
  maxDocumentBytes,
} from '@passwordbroker/core/domain/keyring/document-names';
import { isDocumentShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import { NotModified } from '../../http/answer/answer.ts';
import { ATTEMPT_LIMITS, countAttempt } from '../../platform/passwords/attempts.ts';

type Replacing = Context<typeof replaceSlot, BodyOf<typeof replaceSlot>>;

const VERSION = /^(?:"(\d{1,9})"|(\d{1,9}))$/;

/** From `If-Match`, 0 for none. @throws AppError `bad_request` */
export function replacedVersion({ header }: Pick<RequestContext, 'header'>): number {
  const match = VERSION.exec(header('if-match') ?? '');
  if (match === null) throw new AppError('bad_request');
  return Number(match[1] ?? match[2]);
}

/** @throws AppError `not_found`, `bad_sealed_value`, `slot_conflict`, `id_taken` */
export async function replaceOwnSlot(context: Replacing): Promise<KeyBundle> {
  const { deps, actor, origin, params, body } = context;
  const slotType = slotTypeOf(params.slotType);
  checkSlot({ ...body.slot, slot_type: slotType }, deps.kdf);
  const usedKit = usedKitOf(slotType, body, deps.kdf);
  const slot = storedSlot(slotType, body.slot);
  const version = replacedVersion(context);
  await deps.db
    .transact(async (tx) => {
      await storeSlot(tx, { userId: actor.userId, slot, version, now: deps.clock.now() });
      if (slotType === 'recovery') {
        await recordEvent(tx, deps, { event_type: 'recovery_kit_made', actor, origin });
        await giveNotice(tx, deps, 'recovery kit made', { to: actor, origin });
        return;
      }
      await recordEvent(tx, deps, { event_type: 'keys_changed', actor, origin, details: { slot: slotType } });
      if (usedKit === null) await giveNotice(tx, deps, 'master password changed', { to: actor, origin });
      else await endUsedKit(tx, deps, { actor, origin }, usedKit);
    })
    .catch((error: unknown) => {
      throw brokenUniqueness(error) === 'user_key_slots.slot_id' ? new AppError('id_taken') : error;
    });
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle === undefined) throw new AppError('unauthenticated');
  return bundle;
}

function slotTypeOf(text: string): SlotType {
  if (text === 'password' || text === 'recovery') return text;
  throw new AppError('not_found');
}

export const removeOwnSlot = (context: Context<typeof removeSlot, undefined>): Promise<undefined> =>
  removeOwnKit(context, replacedVersion(context));

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
