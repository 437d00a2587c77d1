/** Notices and questions about the account's trust record, with the real client and server, in new browsers and after a restore. */
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type SignedIn, startTestApp, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { TrustSection } from '../../account/trust-section.tsx';
import { activityLog } from '../../activity-log/activity-log.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import '../../testing/patient.ts';
import { showVault } from '../../testing/shown-vault.node.tsx';
import { takeIn } from '@passwordbroker/client/testing/take-in.node';
import { addSecret, groupWithSecret, mateOf, type Mate, signUpAll } from '@passwordbroker/client/testing/team.node';
import { TRUST_RECORD_TEXTS as TEXTS } from '../../texts/groups/trust-record.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { AccountTrustBanners } from '../account-trust-banners.tsx';
import { GroupTrustBanner } from '../group/group-trust-banner.tsx';
import { trustQuestions } from '../../page/vault.ts';

const DAY = 86_400_000;

let app: TestApp;
let [ada, bob, eve]: SignedIn[] = [];
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, eve] = await signUpAll(app, ['ada', 'bob', 'eve']);
}, 60_000);
afterAll(() => app.stop());
afterEach(() => {
  vi.useRealTimers();
  trustQuestions.cancel();
  cleanup();
});

/** Advances the clock of the browsers, but not of the server. */
const goOn = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY });

/** A browser that has used the account, and its group. */
async function used(person: SignedIn) {
  const mate = await mateOf(person);
  const path = await groupWithSecret(mate, 'x');
  await mate.write.trust.recordWords();
  return { mate, path };
}
const shownIn = (mate: Mate) =>
  showVault(mate, [<AccountTrustBanners key="banners" />, <TrustSection key="section" />]);

describe('M49 a new browser', () => {
  test('a day later: one line says when the account was last used, and nothing is asked', async () => {
    const { path } = await used(ada!);
    goOn(1);
    const fresh = await mateOf(ada!);
    const masterPassword = shownIn(fresh);
    await expect.poll(() => activityLog.list().some(({ body }) => body.startsWith('New browser.'))).toBe(true);
    await masterPassword.use(() => addSecret(fresh, path, 'written'), { label: 'write' });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('eight days later: asked once, before the first operation; “Yes” continues with it', async () => {
    const { path } = await used(bob!);
    goOn(8);
    const fresh = await mateOf(bob!);
    const masterPassword = shownIn(fresh);
    expect((await fresh.read.reveal(path)).text).toBe('x');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    fresh.requests.length = 0;
    const writing = masterPassword.use(() => addSecret(fresh, path, 'written'), { label: 'write' });
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain(TEXTS.lastUseTitle);
    expect(fresh.requests.filter((request) => /^(POST|PUT) .*fields/.test(request))).toEqual([]);
    fireEvent.click(within(dialog).getByText(TEXTS.yes));
    await writing;
    await masterPassword.use(() => addSecret(fresh, path, 'again'), { label: 'write' });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('“No, I have used it since” makes it read-only and says what to do', async () => {
    const { path } = await used(eve!);
    goOn(8);
    const fresh = await mateOf(eve!);
    const masterPassword = shownIn(fresh);
    const writing = masterPassword.use(() => addSecret(fresh, path, 'never'), { label: 'write' });
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByText(TEXTS.no));
    await expect(writing).rejects.toBeInstanceOf(MasterPasswordCancelled);
    await screen.findByText(TEXTS.doubtedAdvice);
    await expect(addSecret(fresh, path, 'never')).rejects.toMatchObject({ name: 'KeyringError' });
    expect((await fresh.read.reveal(path)).text).toBe('x');
  });

  test('two browsers of one state show the same words; “They differ” makes this one read-only', async () => {
    const { mate } = await used(bob!);
    const other = await mateOf(bob!, mate.deviceStore);
    const [here, there] = [await mate.write.trust.recordWords(), await other.write.trust.recordWords()];
    const again = await mate.write.trust.recordWords();
    expect(there.words).toEqual(again.words);
    expect(here.words).toHaveLength(8);
    shownIn(other);
    fireEvent.click(await screen.findByRole('button', { name: TEXTS.compare }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(TEXTS.compareNumber(again.n));
    fireEvent.click(within(dialog).getByText(TEXTS.differ));
    await screen.findByText(TEXTS.doubtedAdvice);
    // A second comparison finds them equal.
    await other.write.trust.compareBrowsers(true);
    await expect.poll(() => screen.queryByText(TEXTS.doubtedAdvice)).toBeNull();
  });
});

describe('M51 a restored backup', () => {
  test('one admin continues from the present list; another follows without a question', async () => {
    const { mate: hers, path } = await used(ada!);
    const groupId = path.entryGroupId;
    await takeIn(hers, groupId, bob!, 'admin');
    const his = await mateOf(bob!);
    await his.read.examine(groupId);
    const shown = his.vault.trust.details(groupId)?.newest;
    if (shown === null || shown === undefined) throw new Error('no list');
    if (his.vault.trust.details(groupId)?.trust.state === 'unconfirmed')
      await his.write.trust.confirmSigner(
        groupId,
        { hash: shown.hash, signer: { ...shown.signer, name: 'ada' } },
        'words',
      );
    await takeIn(hers, groupId, eve!, 'member');
    for (const mate of [hers, his]) {
      mate.keyring.lock();
      await mate.keyring.unlock(mate.person.masterPassword);
      await mate.read.examine(groupId);
      expect(mate.vault.trust.details(groupId)?.trust.state).toBe('confirmed');
      await mate.write.trust.recordWords();
    }
    await restoreToBefore(groupId, eve!.userId);
    for (const mate of [hers, his]) mate.keyring.lock();
    await hers.keyring.unlock(ada!.masterPassword);
    await hers.read.examine(groupId);
    showVault(hers, <GroupTrustBanner groupId={groupId} isAdmin />);
    await screen.findByText(TRUST_TEXTS.readOnly['rolled-back']);
    fireEvent.click(screen.getByRole('button', { name: TRUST_TEXTS.goOn }));
    const dialog = await screen.findByRole('alertdialog');
    await within(dialog).findByText(/^Signed by/);
    fireEvent.click(within(dialog).getByRole('button', { name: TRUST_TEXTS.goOn }));
    await expect.poll(() => screen.queryByRole('alertdialog'), { timeout: 10_000 }).toBeNull();
    expect(hers.vault.trust.details(groupId)?.trust.state).toBe('confirmed');
    await addSecret(hers, path, 'after the restore');
    await his.keyring.unlock(bob!.masterPassword);
    await his.read.examine(groupId);
    expect(his.vault.trust.details(groupId)?.trust).toEqual({ state: 'confirmed', how: 'remembered' });
    await addSecret(his, path, 'his, too');
  });
});

/** Restores the rows from before this person was added. */
async function restoreToBefore(groupId: string, userId: string): Promise<void> {
  await app.deps.db.transact(async (tx) => {
    const inGroup = ['entry_group_id', '=', groupId] as const;
    const { seq } = await tx
      .selectFrom('group_rosters')
      .select('seq')
      .where(...inGroup)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    await tx
      .deleteFrom('group_rosters')
      .where(...inGroup)
      .where('seq', '=', seq)
      .execute();
    await tx
      .updateTable('entry_groups')
      .set({ roster_seq: seq - 1 })
      .where(...inGroup)
      .execute();
    for (const table of ['group_members', 'group_grants'] as const)
      await tx
        .deleteFrom(table)
        .where(...inGroup)
        .where('user_id', '=', userId)
        .execute();
  });
}
