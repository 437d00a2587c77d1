/** Judges people's keys by the trust record, and records decisions. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { KeyChain } from '@passwordbroker/core/domain/keyring/certificate';
import { type KeyVerdict, verdictByRecord } from '@passwordbroker/core/domain/trust/key-verdict';
import {
  decidedKeysOf,
  isCompared,
  type TrustRecord,
  withDecidedKey,
  withRenewedKey,
} from '@passwordbroker/core/domain/trust/trust-record';
import { trustError } from '../keyring-error.ts';
import { isOtherKey } from '../trust/details.ts';
import { judgeAgain } from '../trust/judging.ts';
import type { PersonKey } from '../trust/trust-view.ts';
import { describeJudged } from './group-services.ts';
import type { JudgedKey, ShownKey } from './member-calls.ts';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import { wordsOf } from '../words-of.ts';

export function peopleServices(session: () => OpenSession): Pick<Services, 'judgeKey' | 'decideKeys'> {
  /** Newer keys that a decided one signed. */
  const vouched = new Set<string>();
  const nameOf = ({ userId, fingerprint }: PersonKey) => `${userId} ${fingerprint}`;
  return {
    async judgeKey({ userId, name, ...shown }) {
      const chain = await chainOf(session(), userId, shown);
      const judged = await judgeChain(session(), chain, name);
      if (judged.state === 'trusted' && judged.renewed) vouched.add(nameOf(chain.identity));
      return judged;
    },

    async decideKeys({ people, how }) {
      const { book } = session();
      const strangers = how === 'renewed' ? people.filter((person) => !vouched.has(nameOf(person))) : [];
      const changed = how === 'first-use' ? people.filter((one) => isOtherKey(session(), one)) : [];
      const refused = [...strangers, ...changed].map(({ userId }) => userId);
      if (refused.length > 0) throw trustError('key_changed', { userIds: refused });
      if (how === 'first-use' && book.isStrict() && people.some((one) => !isComparedBy(book.record(), one)))
        throw trustError('must_compare');
      if (book.record() === null) throw trustError('record');
      await book.decide((record, now) =>
        people.reduce(
          (next, person) =>
            how === 'renewed' ? withRenewedKey(next, person, now) : withDecidedKey(next, person, how, now),
          record,
        ),
      );
      return describeJudged(session(), judgeAgain(session()));
    },
  };
}

/**
 * Exactly the confirmed key of a person to share with.
 * @throws KeyringError 'key_changed', 'key_unconfirmed', 'record'; CryptoError if it does not verify
 */
export async function confirmedKey(session: OpenSession, person: PersonKey, shown: ShownKey): Promise<KeyChain> {
  const { book } = session;
  const chain = await chainOf(session, person.userId, shown);
  const { userId, fingerprint } = chain.identity;
  const { state } = stateOf(session, chain);
  if (state === 'changed' || fingerprint !== person.fingerprint) throw trustError('key_changed', { userIds: [userId] });
  const record = book.record();
  const isEnough = !book.isStrict() || userId === session.keyring.userId || isComparedBy(record, chain.identity);
  if (state === 'unknown' || !isEnough) throw trustError('key_unconfirmed', { userIds: [userId] });
  return chain;
}

const isComparedBy = (record: TrustRecord | null, { userId, fingerprint }: PersonKey) =>
  record !== null && isCompared(record, userId, fingerprint);

/** `refuted` also without a record, and in strict mode for keys that were not compared. */
export function verdictOn({ keyring, book }: OpenSession, chain: KeyChain): KeyVerdict {
  const record = book.record();
  if (record === null) return 'refuted';
  const verdict = verdictByRecord(chain, record, keyring);
  return verdict === 'not-compared' && book.isStrict() ? 'refuted' : verdict;
}

/** @throws CryptoError `certificate` for another person's key */
async function chainOf({ chains }: OpenSession, userId: string, shown: ShownKey): Promise<KeyChain> {
  const chain = await chains.of(shown);
  if (chain.identity.userId !== userId) throw new CryptoError('certificate');
  return chain;
}

type KeyState =
  | { readonly state: 'unknown' }
  | { readonly state: 'trusted'; readonly known: string }
  | { readonly state: 'changed'; readonly known: string };

/** @throws KeyringError 'record' if the record is missing or in doubt */
function stateOf({ keyring, book }: OpenSession, { identity, fingerprints }: KeyChain): KeyState {
  const { userId, fingerprint } = identity;
  if (userId === keyring.userId) {
    return { state: fingerprint === keyring.fingerprint ? 'trusted' : 'changed', known: keyring.fingerprint };
  }
  const record = book.record();
  if (record === null) throw trustError('record');
  const decided = decidedKeysOf(record, userId);
  const other = decided.find((known) => !fingerprints.includes(known));
  if (other !== undefined) return { state: 'changed', known: other };
  const [first] = decided;
  if (first === undefined) return { state: 'unknown' };
  return { state: 'trusted', known: decided.includes(fingerprint) ? fingerprint : first };
}

async function judgeChain(session: OpenSession, chain: KeyChain, name: string): Promise<JudgedKey> {
  const { userId, fingerprint } = chain.identity;
  const judged = stateOf(session, chain);
  const current = await wordsOf(fingerprint);
  if (judged.state === 'unknown') return { state: 'unknown', current };
  if (judged.state === 'changed') return { state: 'changed', current, pinned: await wordsOf(judged.known) };
  if (userId === session.keyring.userId)
    return { state: 'trusted', how: 'words', current, formerName: null, renewed: false };
  const person = session.book.record()?.users[userId];
  const how = person?.keys[judged.known]?.[0] ?? 'first-use';
  const formerName = person === undefined || person.name === '' || person.name === name ? null : person.name;
  return { state: 'trusted', how, current, formerName, renewed: judged.known !== fingerprint };
}
