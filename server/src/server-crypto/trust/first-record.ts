import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { followCertificates, type KeyChain } from '@passwordbroker/core/domain/keyring/certificate';
import { openDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { NO_PINS, readPins } from '@passwordbroker/core/domain/trust/pins';
import { hashRoster, type RosterContent, verifyRosterOf } from '@passwordbroker/core/domain/rosters/roster';
import { verdictByRecord } from '@passwordbroker/core/domain/trust/key-verdict';
import {
  EMPTY_RECORD,
  decidedKeysOf,
  type TrustRecord,
  withAcceptedList,
  withDecidedKey,
  withServerGroup,
} from '@passwordbroker/core/domain/trust/trust-record';
import type { Deps } from '../../http/context.ts';
import { portions } from '../../db/portions.ts';
import { takeTurns } from '../../platform/semaphore.ts';
import { asSignedRoster, byUserId, listEveryCertificate, listNames, listNewestLists } from './judging-repository.ts';

type Row = Awaited<ReturnType<typeof listNewestLists>>[number];
interface Pinned {
  readonly version: number;
  readonly blob_base64: string | null;
}

/**
 * The first trust record of an account from before release 1.1 (ADR 24): keys from `pins`, then the newest
 * list of each group if it verifies, and its signer's key.
 * Omits groups whose signer contradicts a decided key. @throws CryptoError `locked`
 */
export async function recordOfDatabase(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  keyring: Keyring,
  pins: Pinned | undefined,
): Promise<TrustRecord> {
  const now = Math.floor(clock.now() / 1000);
  const rows = await listNewestLists(db, keyring.userId);
  const signers = [...new Set(rows.flatMap(({ signer }) => signer ?? []))];
  const certificates: Awaited<ReturnType<typeof listEveryCertificate>> = [];
  for (const portion of portions(signers)) certificates.push(...(await listEveryCertificate(db, portion)));
  const byFingerprint = new Map(certificates.map((one) => [one.fpr, one]));
  const bySigner = byUserId(certificates);
  const groupIds = [...new Set(rows.flatMap(({ materialized_path }) => materialized_path.split('.')))];
  const names = await listNames(db, { groupIds, userIds: signers });
  const chains = new Map<string, Promise<KeyChain | null>>();
  const chainOf = (fingerprint: string, userId: string) => {
    const known = chains.get(fingerprint);
    if (known !== undefined) return known;
    const certificate = byFingerprint.get(fingerprint) ?? null;
    const chain = followCertificates(certificate, bySigner.get(userId) ?? []).catch(() => null);
    chains.set(fingerprint, chain);
    return chain;
  };
  let record = await withPins({ ...EMPTY_RECORD, at: now }, keyring, pins);
  const groups: TrustRecord['groups'] = {};
  const turn = takeTurns();
  for (const row of rows) {
    const { signer, signer_fpr } = row;
    const chain = signer === null || signer_fpr === null ? null : await chainOf(signer_fpr, signer);
    record = await withGroupOf({ ...record, groups: {} }, row, { keyring, chain, names, now });
    Object.assign(groups, record.groups);
    await turn();
  }
  return { ...record, groups };
}

async function withGroupOf(
  record: TrustRecord,
  row: Row,
  {
    keyring,
    chain,
    names,
    now,
  }: { keyring: Keyring; chain: KeyChain | null; names: ReadonlyMap<string, string>; now: number },
): Promise<TrustRecord> {
  const { entry_group_id: groupId, gk_version: gkVersion, origin, role, bytes, sig } = row;
  const path = row.materialized_path.split('.').map((id) => names.get(id) ?? '');
  if (bytes === null || sig === null) {
    return origin === 'server' ? withServerGroup(record, { groupId, gkVersion, role, path }, now) : record;
  }
  if (chain === null) return record;
  const wire = asSignedRoster({ bytes, sig, proof: null, proof_prev: null }, null);
  const content = await verifyRosterOf(chain.identity, wire, groupId).catch(() => null);
  const self = content?.members.find(({ userId }) => userId === keyring.userId);
  if (content === null || self === undefined || contradicts(chain, record, keyring)) return record;
  const list = { groupId, ...acceptedFacts(content), hash: await hashRoster(new Uint8Array(bytes)), path, origin };
  const known = withAcceptedList(record, { ...list, role: self.role, how: 'api' }, now);
  const { userId, fingerprint } = chain.identity;
  if (userId === keyring.userId || decidedKeysOf(known, userId).length > 0) return known;
  return withDecidedKey(known, { userId, name: names.get(userId) ?? '', fingerprint }, 'api', now);
}

const acceptedFacts = ({ seq, gkVersion, hasProof }: RosterContent) => ({
  seq,
  gkVersion,
  hasProof: hasProof === true,
});

/** Own lists may be signed with a former own key. */
const contradicts = (chain: KeyChain, record: TrustRecord, self: Keyring) =>
  chain.identity.userId !== self.userId && verdictByRecord(chain, record, self) === 'refuted';

/** Keys that the person confirmed in release 1.0. Ignores a damaged document. */
async function withPins(record: TrustRecord, keyring: Keyring, stored: Pinned | undefined): Promise<TrustRecord> {
  if (stored === undefined) return record;
  const place = { name: 'pins', n: stored.version } as const;
  const pins = await openDocument(keyring, place, stored.blob_base64 ?? '', readPins).catch((error: unknown) => {
    if (error instanceof CryptoError && error.code !== 'locked') return NO_PINS;
    throw error;
  });
  let next: TrustRecord = { ...record, pins_n: stored.version };
  for (const [userId, { met, fingerprint, name, how, firstSeen }] of pins) {
    if (met !== true) next = withDecidedKey(next, { userId, name, fingerprint }, how, firstSeen);
  }
  return next;
}
