import type { rekey } from '@passwordbroker/core/contract/account/own-keys';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import type { PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import { isDocumentShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import { recordEvent } from '../audit/audit-log.ts';
import { brokenUniqueness } from '../db/failures.ts';
import type { Transact } from '../db/database.ts';
import { decodedWrap } from '../groups/group-key-checks.ts';
import { decoded, malformed } from '../groups/signed-roster.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { noteKeysToChange } from '../notices/member-notices.ts';
import { checkKeyBundle, type FormerKey } from '../users/keys/key-bundle.ts';
import { insertDocuments, insertKeys, readKeyBundle } from '../users/keys/key-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import {
  dropFormerKeys,
  findPresentKeys,
  listDocuments,
  listEveryGrant,
  markOwnRotationsDue,
  markRekeyed,
  nextSlotVersion,
  updateGrants,
} from './rekey-repository.ts';

export type RekeyBody = BodyOf<typeof rekey>;

interface Owner {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
}

/**
 * Replaces or creates a person's keys with everything sealed under them, in one transaction (docs/spec/api.md
 * §3.4, docs/spec/crypto.md §6). `version` is that of the current keyset, 0 for none.
 * @throws AppError `slot_conflict`, `bad_sealed_value`, `id_taken`; `rewrap_set_mismatch` unless all grants
 * are sent
 */
export async function replaceKeys(
  { deps, actor, origin }: Owner,
  version: number,
  sent: RekeyBody,
): Promise<KeyBundle> {
  const former = await formerKey(deps.db.read, actor.userId, version);
  const expected = { userId: actor.userId, kdf: deps.kdf, former, place: 'key_bundle' } as const;
  const identity = await checkKeyBundle(sent.key_bundle, expected);
  const sealed = readSealed(sent, identity);
  await deps.db
    .transact(async (tx) => {
      // Another device may have changed the keys meanwhile.
      const present = await formerKey(tx, actor.userId, version);
      const now = deps.clock.now();
      await carryDocuments(tx, actor.userId, sealed.documents, async () => {
        const slotVersion = await nextSlotVersion(tx, actor.userId);
        await dropFormerKeys(tx, actor.userId);
        await insertKeys(tx, actor.userId, sent.key_bundle, identity.fingerprint, now, slotVersion);
      });
      await carryGrants(tx, actor.userId, sealed.grants, identity.fingerprint);
      if (present?.isTrusted === false) {
        await markOwnRotationsDue(tx, actor.userId);
        await noteKeysToChange(tx, deps, actor.userId);
      }
      await markRekeyed(tx, actor.userId, identity.keysetVersion, now);
      const details = { keyset_version: identity.keysetVersion };
      await recordEvent(tx, deps, { event_type: 'keys_changed', actor, origin, details });
      await giveNotice(tx, deps, 'keys changed', { to: actor, origin });
    })
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle === undefined) throw new AppError('unauthenticated');
  return bundle;
}

/** @throws AppError `slot_conflict` for another version */
async function formerKey(
  db: Parameters<typeof findPresentKeys>[0],
  userId: string,
  version: number,
): Promise<FormerKey | null> {
  const row = await findPresentKeys(db, userId);
  if (row === undefined) throw new AppError('unauthenticated');
  const { keyset_version: current_version, must_rekey, fpr, ed25519 } = row;
  if (current_version !== version) throw new AppError('slot_conflict', { details: { current_version } });
  return fpr === null || ed25519 === null ? null : { version, fingerprint: fpr, ed25519, isTrusted: must_rekey === 0 };
}

/** @throws AppError `bad_sealed_value` */
function readSealed({ documents = [], grants = [] }: RekeyBody, identity: PublicIdentity) {
  const { bits } = identity.rsa;
  // Clients of release 1.0 make no trust record and would overwrite documents unread.
  if (!documents.some(({ name }) => name === 'trust')) throw refuse('documents', SERVER_TEXTS.recordMissing);
  return {
    documents: documents.map(({ name, version, blob_base64 }, at) => {
      if (version === undefined) throw refuse('documents', SERVER_TEXTS.recordMissing);
      const blob = decoded(blob_base64, 'documents', String(at), 'blob_base64');
      if (!isDocumentShape(blob, name)) throw malformed('documents', String(at), 'blob_base64');
      return { name, version, blob };
    }),
    grants: grants.map(({ encrypted_aes_password, ...grant }, at) => {
      const place = ['grants', String(at)] as const;
      if (grant.recipient_fpr !== identity.fingerprint) throw malformed(...place, 'recipient_fpr');
      return {
        ...grant,
        wrapped: decodedWrap(encrypted_aes_password, bits, ...place, 'encrypted_aes_password'),
      };
    }),
  };
}

type Sealed = ReturnType<typeof readSealed>;

/** `between` replaces the keys and deletes the former documents. */
async function carryDocuments(
  tx: Transact,
  userId: string,
  sent: Sealed['documents'],
  between: () => Promise<void>,
): Promise<void> {
  const present = new Map((await listDocuments(tx, userId)).map(({ name, n }): [string, number] => [name, n]));
  const versions = new Map(sent.map(({ name, version }): [string, number] => [name, version]));
  if (versions.size !== sent.length) throw new AppError('rewrap_set_mismatch');
  // A missing document would be lost: nothing could open it.
  for (const document of new Set([...versions.keys(), ...present.keys()])) {
    const current_version = present.get(document) ?? 0;
    if ((versions.get(document) ?? 0) !== current_version) {
      throw new AppError('slot_conflict', { details: { current_version, document } });
    }
  }
  await between();
  await insertDocuments(
    tx,
    sent.map(({ name, version, blob }) => ({ user_id: userId, name, n: version + 1, blob })),
  );
}

async function carryGrants(tx: Transact, userId: string, sent: Sealed['grants'], fingerprint: string): Promise<void> {
  const keyOf = (grant: { entry_group_id: string; gk_version: number; role: string }) =>
    `${grant.entry_group_id} ${grant.gk_version} ${grant.role}`;
  const present = new Set((await listEveryGrant(tx, userId)).map(keyOf));
  const named = new Set(sent.map(keyOf));
  const isExact =
    named.size === sent.length && named.size === present.size && [...named].every((key) => present.has(key));
  if (!isExact) throw new AppError('rewrap_set_mismatch');
  await updateGrants(
    tx,
    sent.map((grant) => ({ ...grant, user_id: userId, recipient_fpr: fingerprint })),
  );
}

function asRefusal(error: unknown): unknown {
  const broken = brokenUniqueness(error);
  if (broken === 'user_key_slots.slot_id') return new AppError('id_taken');
  // Keys that were used before are not new.
  if (broken === 'user_certificates.fpr') return malformed('key_bundle', 'certificate', 'ed25519_base64');
  return error;
}
