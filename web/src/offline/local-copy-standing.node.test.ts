// @vitest-environment node
/** What makes an end of a copy whose owner is not signed in: its server is asked by the application alone (crypto.md §16). */
import { describe, expect, test, vi } from 'vitest';
import { endSession, sessions } from '@passwordbroker/core/contract/credentials';
import { setMode } from '@passwordbroker/core/contract/offline';
import * as people from '@passwordbroker/core/contract/people';
import { changeSettings } from '@passwordbroker/core/contract/site';
import { nameOfCopy } from '../keyring/copy/copy-store.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';

const { kept, openOn, copyOn, gone, record, copyOfBob } = keptCopy();

const switchOffElsewhere = () =>
  kept.ada.call(setMode, { params: { id: record().applicationId }, body: { status: false } });
/** A browser that was closed: its cookies are gone, what it keeps is there. */
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

describe('while its page is open', () => {
  test('the session was ended because the account may not sign in any more (401): it goes', async () => {
    await kept.page.engine.setKeepAtLogout(true);
    const id = kept.ada.userId;
    await kept.site.call(people.setDisabled, { params: { id }, body: { status: true } });
    await gone();
    expect(kept.page.session.view().user).toBeNull();
    await kept.site.call(people.setDisabled, { params: { id }, body: { status: false } });
    Object.assign(kept, { ada: await kept.app.signIn(kept.ada) });
  });

  test('a session that merely ended leaves it', async () => {
    await endItsSession();
    await vi.waitFor(() => expect(kept.page.session.view().user).toBeNull(), 20_000);
    await answered(kept.page, 1);
    expect(kept.device.copies.kept.records.size).toBe(1);
    expect(kept.device.copies.kept.pieces.size).toBe(1);
  });
});

describe('in a browser that was closed', () => {
  test('it stays while nothing has happened', async () => {
    kept.page.close();
    const next = await openOn(kept.device, { person: await withoutSession() });
    expect(next.session.view()).toMatchObject({ status: 'login', user: null });
    await answered(next, 1);
    expect(await copyOn(next)).toMatchObject({ userId: kept.ada.userId });
  });

  test('it goes when it was switched off meanwhile, and so does each other one', async () => {
    const his = await copyOfBob();
    kept.page.close();
    his.close();
    await switchOffElsewhere();
    const bobs = kept.device.copies.kept.records.get(his.name)?.applicationId ?? '';
    await kept.bob.call(setMode, { params: { id: bobs }, body: { status: false } });
    await openOn(kept.device, { person: await withoutSession() });
    await gone();
  });

  test('it goes when the site forbids copies', async () => {
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

  test('it is asked when the page comes online, not before', async () => {
    kept.page.close();
    await switchOffElsewhere();
    const away = await openOn(kept.device, { isAway: true, person: await withoutSession() });
    await away.engine.logIn(await copyOn(away), kept.ada.masterPassword);
    expect(asked(away)).toBe(0);
    away.setAway(false);
    await away.engine.switchToOnline();
    await gone();
  });

  test('a server knows nothing of another one’s copies: those stay', async () => {
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
