/**
 * The trust record of a large account, for the test of its size and the benchmark of opening it.
 */
import { encodeHex, randomBytes } from '../../crypto/bytes.ts';
import { EMPTY_RECORD, type TrustRecord, withAcceptedList, withDecidedKey } from '../../domain/trust/trust-record.ts';

const NOW = 1_795_219_200;
const hex = () => encodeHex(randomBytes(32));

export function largeRecord(groups: number, people: number): TrustRecord {
  let record: TrustRecord = {
    ...EMPTY_RECORD,
    browsers: { [hex().slice(32)]: ['Firefox on Linux', NOW, NOW], [hex().slice(32)]: ['Chrome on Windows', NOW, NOW] },
  };
  for (let at = 0; at < people; at += 1) {
    const person = { userId: crypto.randomUUID(), name: `Ada Adler-Brandt ${at}`, fingerprint: hex() };
    record = withDecidedKey(record, person, at % 2 === 0 ? 'words' : 'first-use', NOW + at);
  }
  for (let at = 0; at < groups; at += 1) {
    const list = {
      groupId: crypto.randomUUID(),
      hash: hex(),
      seq: at % 30,
      gkVersion: 1 + (at % 5),
      role: 'member',
      hasProof: true,
      path: ['Team', `Production ${at}`],
      origin: 'client',
      how: 'signer',
    } as const;
    record = withAcceptedList(record, list, NOW + at);
  }
  return record;
}
