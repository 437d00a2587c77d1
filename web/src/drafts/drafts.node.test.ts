/** Drafts over locks, with real keyrings: what is kept, for whom, and until when. */
import { expect, test } from 'vitest';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import type { SessionView } from '@passwordbroker/client/session/session';
import { MASTER_PASSWORD, USER, withOwnKeyring } from '@passwordbroker/client/testing/own-keyring.node';
import { createDrafts } from './drafts.ts';

const { bundle, open, unlocked } = withOwnKeyring();
const PLACE = 'new entry g';
const TEXT = JSON.stringify({ title: 'Ledger', note: 'q8-Rf3_tYxB6mWz9Lr4c' });

/** A signed-in person who can sign out, or leave to somebody else. */
function personSession() {
  let userId: string | null = USER;
  const listeners = new Set<() => void>();
  return {
    view: () => ({ user: userId === null ? null : { user_id: userId } }) as unknown as SessionView,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    become(next: string | null) {
      userId = next;
      for (const listener of listeners) listener();
    },
  };
}

test('comes back once after a lock and an unlock', async () => {
  const keyring = await unlocked();
  const drafts = createDrafts(keyring, personSession());
  await drafts.keep(PLACE, 'older');
  await drafts.keep(PLACE, TEXT);
  keyring.lock();
  await drafts.keep(PLACE, 'typed while locked');
  expect([drafts.has(PLACE), await drafts.open(PLACE), drafts.has(PLACE)]).toEqual([true, null, true]);
  await keyring.unlock(MASTER_PASSWORD);
  expect([await drafts.open(PLACE), drafts.has(PLACE), await drafts.open(PLACE)]).toEqual([TEXT, false, null]);
  expect([drafts.opened(PLACE), drafts.opened(PLACE)]).toEqual([TEXT, TEXT]);
  drafts.forget(PLACE);
  expect(drafts.opened(PLACE)).toBeNull();
});

test('what no form has read is gone at the next lock', async () => {
  const keyring = await unlocked();
  const drafts = createDrafts(keyring, personSession());
  await drafts.keep(PLACE, TEXT);
  await drafts.open(PLACE);
  keyring.lock();
  expect(drafts.opened(PLACE)).toBeNull();
});

test('the newest of many states is kept, whatever the order of the seals; a dropped one is gone', async () => {
  const keyring = await unlocked();
  const drafts = createDrafts(keyring, personSession());
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => drafts.keep(PLACE, `${at} ${'x'.repeat(50_000 - at * 1000)}`)),
  );
  expect(await drafts.open(PLACE)).toMatch(/^49 /);
  const late = drafts.keep(PLACE, TEXT);
  drafts.drop(PLACE);
  await late;
  expect([drafts.has(PLACE), await drafts.open(PLACE)]).toEqual([false, null]);
});

test.each([null, '99999999-2222-4333-8444-555555555555'])(
  'is gone when %s is signed in, also if it is still being sealed',
  async (next) => {
    const keyring = await unlocked();
    const session = personSession();
    const drafts = createDrafts(keyring, session);
    await drafts.keep(PLACE, TEXT);
    const late = drafts.keep('field e', TEXT);
    session.become(next);
    await late;
    expect([drafts.has(PLACE), drafts.has('field e'), await drafts.open(PLACE)]).toEqual([false, false, null]);
  },
);

test('opens neither for another account nor for another place, and holds no plain text', async () => {
  const keyring = await unlocked();
  const sealed = await keyring.call('sealDraft', { place: PLACE, text: TEXT });
  const bytes = Buffer.from(sealed, 'base64').toString('latin1');
  for (const part of ['Ledger', 'tYxB6mWz9Lr4c', PLACE, USER]) expect(bytes + sealed).not.toContain(part);
  expect(await keyring.call('openDraft', { place: PLACE, sealed })).toBe(TEXT);
  await expect(keyring.call('openDraft', { place: 'new entry h', sealed })).rejects.toThrow();

  const userId = '99999999-2222-4333-8444-555555555555';
  const { keyBundle: made, trust } = await open().createAccount({ userId, masterPassword: MASTER_PASSWORD });
  const theirs: KeyBundle = {
    ...bundle(),
    user_id: userId,
    keyset: made.keyset,
    certificate: { ...bundle().certificate, ...made.certificate } as KeyBundle['certificate'],
    slots: made.slots.map((slot) => ({ ...slot, version: 1 })),
    documents: [{ name: trust.name, version: 1, blob_base64: trust.blob_base64 }],
  };
  const other = open({ bundle: theirs });
  await other.unlock(MASTER_PASSWORD);
  await expect(other.call('openDraft', { place: PLACE, sealed })).rejects.toThrow();
});
