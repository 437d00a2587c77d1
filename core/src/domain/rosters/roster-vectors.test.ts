/** Four frozen rosters in succession, good and with each link broken once, and a certificate with `sig_prev` (docs/spec/crypto.md §24). */
import { expect, test } from 'vitest';
import { decodeBase64 } from '../../crypto/bytes.ts';
import frozen from '../../testing/fixtures/pb1_frozen.json' with { type: 'json' };
import { VECTORS } from '../../testing/pb1-vectors.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { followCertificates, type CertificateWire, verifyCertificate } from '../keyring/certificate.ts';
import { NO_PINS } from '../trust/pins.ts';
import { acceptRoster } from '../../testing/groups/judged-roster.ts';
import { commitmentsOf, linkBack } from './roster-chain.ts';
import { hashRoster, verifyRoster } from './roster.ts';

const groupId = frozen.ids.entry_group_id;
const { succession, broken } = frozen.rosters;
const certificates = frozen.rosters.certificates as readonly CertificateWire[];
type Row = (typeof succession)[number];
const signed = ({ signer_fpr, ...wire }: Row) => ({
  ...wire,
  signer_certificate: certificates.find(({ fpr }) => fpr === signer_fpr) ?? null,
});
const at = (seq: number) => succession[seq] ?? expect.fail('no such roster');
const accept = (accepted: number | null, shown: readonly Row[]) =>
  acceptRoster({
    groupId,
    answer: { origin: 'client', rosters: shown.map(signed) },
    accepted: accepted === null ? null : { seq: accepted, hash: at(accepted).sha256 },
    pins: NO_PINS,
    certificates,
    self: { userId: VECTORS.ids.user_id, fingerprint: VECTORS.identity.fingerprint_hex },
  });

test('each verifies and contains the hash of the previous one', async () => {
  for (const [seq, row] of succession.entries()) {
    const content = await verifyRoster(signed(row), groupId);
    expect(await hashRoster(decodeBase64(row.roster_base64))).toBe(row.sha256);
    expect([content.seq, content.prev]).toEqual([seq, seq === 0 ? '' : at(seq - 1).sha256]);
  }
});

test('each is accepted after each earlier one', async () => {
  for (let newest = 0; newest < succession.length; newest += 1) {
    for (let accepted = 0; accepted <= newest; accepted += 1) {
      const { state } = await accept(accepted, succession.slice(accepted, newest + 1));
      expect(state, `${newest} after ${accepted}`).toBe('accepted');
    }
  }
});

test('a broken link or an older roster is rejected', async () => {
  for (const { link, ...row } of broken) {
    expect((await verifyRoster(signed(row), groupId)).seq).toBe(link);
    for (let accepted = 0; accepted < link; accepted += 1) {
      expect(await accept(accepted, [...succession.slice(accepted, link), row])).toMatchObject({ fault: 'forked' });
      expect(await accept(link, succession.slice(accepted, link))).toMatchObject({ fault: 'rolled-back' });
    }
  }
});

test('the newest links back to the first, and to the commitment of each key', async () => {
  const content = await verifyRoster(signed(at(3)), groupId);
  const linked = await linkBack({ content, hash: at(3).sha256 }, succession);
  expect(linked.map(({ hash }) => hash)).toEqual(succession.map(({ sha256 }) => sha256));
  expect([...commitmentsOf(linked, succession).byVersion.keys()]).toEqual([1, 2]);
});

test('the certificate with sig_prev links back to the one of the other vectors', async () => {
  const renewed = certificates[3] ?? expect.fail('no such certificate');
  expect((await verifyCertificate(renewed)).keysetVersion).toBe(2);
  const { fingerprints } = await followCertificates(renewed, certificates);
  expect(fingerprints).toEqual([renewed.fpr, VECTORS.identity.fingerprint_hex]);
  expect(await errorCodeOf(() => verifyCertificate({ ...renewed, prev_fpr: '' }))).toBe('signature');
});
