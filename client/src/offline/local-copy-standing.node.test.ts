/**
 * Removal of copies whose owner is not signed in: the server is asked by application id alone
 * (docs/spec/crypto.md §16).
 */
import { describe, expect, test, vi } from 'vitest';
import { endSession, sessions } from '@passwordbroker/core/contract/account/credentials';
import { setMode } from '@passwordbroker/core/contract/account/offline';
import * as people from '@passwordbroker/core/contract/users/people';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { nameOfCopy } from '../keyring/copy/copy-store.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { groupWithSecret, mateOf } from '../testing/team.node.ts';

const { kept, openOn, copyOn, gone, record, copyOfBob } = keptCopy();

const switchOffElsewhere = () =>
  kept.ada.call(setMode, { params: { id: record().applicationId }, body: { status: false } });
/** A browser that was closed: no cookies, but its stored data. */
async function withoutSession() {
  const person = await kept.app.signIn(kept.ada);
  person.cookies.clear();
  return person;
}
const asked = (of: { readonly real: { readonly requests: readonly string[] } }) =>
  of.real.requests.filter((request) => request.endsWith('/standing')).length;
const answered = (of: Parameters<typeof asked>[0], count: number) =>
  vi.waitFor(() => expect(asked(of)).toBeGreaterThanOrEqual(count), 20_000);

async function endItsSession() {
  const sessionId = kept.page.session.view().sessionId ?? '';
  expect((await kept.ada.call(sessions)).some(({ session_id }) => session_id === sessionId)).toBe(true);
  await kept.ada.call(endSession, { params: { sessionId } });
}

describe('with its page open, a copy', () => {
  test('is removed if the account was disabled (401)', async () => {
    await kept.page.engine.setKeepAtLogout(true);
    const id = kept.ada.userId;
    await kept.site.call(people.setDisabled, { params: { id }, body: { status: true } });
    await gone();
    expect(kept.page.session.view().user).toBeNull();
    await kept.site.call(people.setDisabled, { params: { id }, body: { status: false } });
    Object.assign(kept, { ada: await kept.app.signIn(kept.ada) });
  });

  test('stays if the session merely ended', async () => {
    await endItsSession();
    await vi.waitFor(() => expect(kept.page.session.view().user).toBeNull(), 20_000);
    await answered(kept.page, 1);
    expect(kept.device.copies.kept.records.size).toBe(1);
    expect(kept.device.copies.kept.pieces.size).toBe(1);
  });
});

describe('in a browser that was closed', () => {
  test('the copy stays if nothing has changed', async () => {
    kept.page.close();
    const next = await openOn(kept.device, { person: await withoutSession() });
    expect(next.session.view()).toMatchObject({ status: 'login', user: null });
    await answered(next, 1);
    expect(await copyOn(next)).toMatchObject({ userId: kept.ada.userId });
  });

  test('the copy is removed if it was switched off meanwhile, and so is every other such copy', async () => {
    const his = await copyOfBob();
    kept.page.close();
    his.close();
    await switchOffElsewhere();
    const bobs = kept.device.copies.kept.records.get(his.name)?.applicationId ?? '';
    await kept.bob.call(setMode, { params: { id: bobs }, body: { status: false } });
    await openOn(kept.device, { person: await withoutSession() });
    await gone();
  });

  test('the copy is removed if the site forbids copies', async () => {
    kept.page.close();
    await kept.site.call(changeSettings, { body: { offline_allowed: false } });
    await openOn(kept.device, { person: await withoutSession() });
    await gone();
    await kept.site.call(changeSettings, { body: { offline_allowed: true } });
  });

  test('the server is asked again until it answers', async () => {
    kept.page.close();
    await switchOffElsewhere();
    const next = await openOn(kept.device, { isUnchecked: true, person: await withoutSession() });
    next.real.refuse = (request) => (request.endsWith('/standing') ? { code: 'unavailable', status: 503 } : null);
    await next.session.check();
    await answered(next, 3);
    expect(kept.device.copies.kept.records.size).toBe(1);
    next.real.refuse = null;
    await gone();
  });

  test('the server is asked when the page goes online, not before', async () => {
    kept.page.close();
    await switchOffElsewhere();
    const away = await openOn(kept.device, { isAway: true, person: await withoutSession() });
    await away.engine.logIn(await copyOn(away), kept.ada.masterPassword);
    expect(asked(away)).toBe(0);
    away.setAway(false);
    await away.engine.switchToOnline();
    await gone();
  });

  test('copies of other servers stay', async () => {
    kept.page.close();
    const { copies } = kept.device;
    const origin = 'https://elsewhere.example';
    await copies.create(nameOfCopy(origin, kept.ada.userId), { ...record(), origin, server: origin });
    await switchOffElsewhere();
    const next = await openOn(kept.device, { person: await withoutSession() });
    await vi.waitFor(() => expect(copies.kept.records.size).toBe(1), 20_000);
    expect([...copies.kept.records.values()]).toMatchObject([{ origin }]);
    expect(asked(next)).toBe(1);
  });
});

describe('another person’s copy in the same browser', () => {
  const isBobs = (name: string) =>
    vi.waitFor(() => expect([...kept.device.copies.kept.records.keys()]).toEqual([name]), 20_000);
  /** Later changes of his arrive in his copy. */
  async function goesOn(name: string) {
    const steps = () => kept.device.copies.kept.pieces.get(name)?.at(-1)?.step ?? 0;
    const before = steps();
    await groupWithSecret(await mateOf(await kept.app.signIn(kept.bob)), 'his next one');
    await vi.waitFor(() => expect(steps()).toBeGreaterThan(before), 20_000);
  }

  test('is removed, and the copy of the signed-in person continues', async () => {
    const his = await copyOfBob();
    kept.page.close();
    await switchOffElsewhere();
    await his.engine.askCopyStatus();
    await isBobs(his.name);
    expect(his.state().enabled).toBe(true);
    await goesOn(his.name);
  });

  test('is not affected by an answer that arrives after another person signed in', async () => {
    const { name } = await copyOfBob().then((page) => (page.close(), page));
    await kept.page.engine.setKeepAtLogout(true);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const before = asked(kept.page);
    let isAsked = false;
    kept.page.real.before = async (request) => {
      if (!request.endsWith('/standing') || isAsked) return;
      isAsked = true;
      await held;
    };
    await switchOffElsewhere();
    await vi.waitFor(() => expect(isAsked).toBe(true), 20_000);
    await kept.page.session.logOut();
    await kept.page.session.logIn(kept.bob.email, kept.bob.password);
    await kept.page.real.keyring.unlock(kept.bob.masterPassword);
    await vi.waitFor(
      () => expect(kept.page.state()).toMatchObject({ enabled: true, copyOf: expect.any(Number) }),
      20_000,
    );
    answer();
    await answered(kept.page, before + 1);
    await kept.page.engine.askCopyStatus();
    await isBobs(name);
    await goesOn(name);
  });
});

test('a server selected in the meantime is not asked about a copy of another server', async () => {
  const { copies } = kept.device;
  const whole = { ...copies };
  kept.page.close();
  const next = await openOn(kept.device, { person: await withoutSession() });
  await answered(next, 1);
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  let isRead = false;
  copies.record = async (name) => {
    isRead = true;
    await held;
    return whole.record(name);
  };
  const looked = next.engine.askCopyStatus();
  await vi.waitFor(() => expect(isRead).toBe(true), 20_000);
  next.real.http.setServer({ origin: 'https://elsewhere.example', token: null });
  const before = next.real.requests.length;
  go();
  await looked;
  expect(next.real.requests).toHaveLength(before);
  expect(copies.kept.records.size).toBe(1);
});
