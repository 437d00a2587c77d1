/** Failures that ask a question, and the operations that wait for its answer. */
import { expect, test } from 'vitest';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { createMasterPassword, MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { createTrustQuestions } from './trust-questions.ts';

const unconfirmed = (groupId: string, detail = 'new') =>
  new KeyringError({ code: 'group_unconfirmed', groupId, detail });
const openLock = {
  isOpen: () => true,
  unlock: async () => undefined,
  lock: () => undefined,
  onLocked: () => () => undefined,
};

/** An operation that fails until the group is confirmed. */
function operationIn(
  questions: ReturnType<typeof createTrustQuestions>,
  confirmed: ReadonlySet<string>,
  groupId: string,
) {
  const masterPassword = createMasterPassword(openLock, { ask: questions.ask });
  const operation = async () => {
    if (!confirmed.has(groupId)) throw unconfirmed(groupId);
    return 'written';
  };
  return masterPassword.use(operation, { label: 'write' });
}

test('an operation in an unconfirmed group waits for the decision and then runs again', async () => {
  const questions = createTrustQuestions();
  const confirmed = new Set<string>();
  const operation = operationIn(questions, confirmed, 'g');
  await expect.poll(() => questions.view()).toEqual({ kind: 'signer', groupId: 'g' });
  confirmed.add('g');
  questions.decided();
  expect(await operation).toBe('written');
  expect(questions.view()).toBeNull();
});

test('operations in several groups of one signer ask once', async () => {
  const questions = createTrustQuestions();
  const confirmed = new Set<string>();
  let asked = 0;
  let before: unknown = null;
  questions.subscribe(() => {
    const shown = questions.view();
    if (shown !== null && shown !== before) asked += 1;
    before = shown;
  });
  const operations = ['a', 'b', 'c'].map((groupId) => operationIn(questions, confirmed, groupId));
  await expect.poll(() => questions.view()).not.toBeNull();
  for (const groupId of ['a', 'b', 'c']) confirmed.add(groupId);
  questions.decided();
  expect(await Promise.all(operations)).toEqual(['written', 'written', 'written']);
  expect(asked).toBe(1);
});

test('Cancel rejects all waiting operations, and nothing asks again by itself', async () => {
  const questions = createTrustQuestions();
  const operations = ['a', 'b'].map((groupId) => operationIn(questions, new Set(), groupId));
  await expect.poll(() => questions.view()).not.toBeNull();
  questions.cancel();
  for (const operation of operations) await expect(operation).rejects.toBeInstanceOf(MasterPasswordCancelled);
  expect(questions.view()).toBeNull();
});

test('other failures ask nothing: a group without a key proof cannot be confirmed by a question', () => {
  const questions = createTrustQuestions();
  expect(questions.ask(unconfirmed('g', 'no-proof'))).toBeNull();
  expect(questions.ask(new KeyringError({ code: 'key_mismatch' }))).toBeNull();
  expect(questions.ask(new Error('offline'))).toBeNull();
  expect(questions.view()).toBeNull();
});
