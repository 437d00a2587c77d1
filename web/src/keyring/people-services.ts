/** People's keys against the pins of the person at this client; what is asked is said in `member-calls.ts`. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { KeyChain } from '@passwordbroker/core/domain/certificate-chain';
import { judgeKey, type KeyJudgement, type Pin } from '@passwordbroker/core/domain/pins';
import { trustError } from './trust-error.ts';
import type { JudgedKey, ShownKey, Signer } from './member-calls.ts';
import type { OpenSession } from './open-session.ts';
import type { Services } from './remote.ts';
import { wordsOf } from './words-of.ts';

export function peopleServices(session: () => OpenSession): Pick<Services, 'judgeKey' | 'sealPins' | 'readPins'> {
  /** Which newer key a pinned one was found to vouch for. */
  const vouched = new Set<string>();
  const vouching = (pinned: string, { userId, fingerprint }: Signer) => `${userId} ${pinned} ${fingerprint}`;
  return {
    async judgeKey({ userId, name, ...shown }) {
      const chain = await chainOf(session(), userId, shown);
      const judgement = judged(session(), chain, name);
      if (judgement.state === 'trusted' && judgement.renewed)
        vouched.add(vouching(judgement.pin.fingerprint, chain.identity));
      return described(judgement, chain.identity.fingerprint);
    },

    async sealPins({ people, how }) {
      const { pins } = session();
      const isVouched = (person: Signer) =>
        vouched.has(vouching(pins.pins().get(person.userId)?.fingerprint ?? '', person));
      const strangers = how === 'renewed' ? people.filter((person) => !isVouched(person)) : [];
      if (strangers.length > 0) throw trustError('key_changed', { userIds: strangers.map(({ userId }) => userId) });
      return pins.sealed(people, how);
    },

    async readPins({ document, isDecided }) {
      const { pins } = session();
      await (isDecided ? pins.readAnyway(document) : pins.read(document));
      return null;
    },
  };
}

/**
 * The verified key of a person to share with: exactly the one that was confirmed, and pinned.
 * @throws KeyringError 'key_changed', 'key_unconfirmed', 'pins'; CryptoError when it does not verify
 */
export async function confirmedKey(session: OpenSession, person: Signer, shown: ShownKey): Promise<KeyChain> {
  const chain = await chainOf(session, person.userId, shown);
  const { state } = judged(session, chain, '');
  if (state === 'changed' || chain.identity.fingerprint !== person.fingerprint)
    throw trustError('key_changed', { userIds: [person.userId] });
  if (state === 'unknown') throw trustError('key_unconfirmed', { userIds: [person.userId] });
  return chain;
}

/** @throws CryptoError `certificate` for the key of somebody else */
async function chainOf({ chains }: OpenSession, userId: string, shown: ShownKey): Promise<KeyChain> {
  const chain = await chains.of(shown);
  if (chain.identity.userId !== userId) throw new CryptoError('certificate');
  return chain;
}

function judged(session: OpenSession, { identity, fingerprints }: KeyChain, name: string): KeyJudgement {
  return judgeKey(pinOf(session, identity.userId, name), { name, fingerprints });
}

/** One's own key needs no pin. */
function pinOf({ keyring, pins }: OpenSession, userId: string, name: string): Pin | undefined {
  if (userId !== keyring.userId) return pins.pins().get(userId);
  return { fingerprint: keyring.fingerprint, name, verified: true, how: 'words', firstSeen: 0 };
}

async function described(judgement: KeyJudgement, fingerprint: string): Promise<JudgedKey> {
  const current = await wordsOf(fingerprint);
  switch (judgement.state) {
    case 'unknown':
      return { state: 'unknown', current };
    case 'changed':
      return { state: 'changed', current, pinned: await wordsOf(judgement.pin.fingerprint) };
    case 'trusted': {
      const { pin, formerName, renewed } = judgement;
      // Who was pinned as the signer of a list that did not name him has no former name.
      return { state: 'trusted', current, how: pin.how, formerName: formerName || null, renewed };
    }
  }
}
