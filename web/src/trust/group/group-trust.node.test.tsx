/** Banners and questions about a group, with the real client and server; some answers of the server are changed. */
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { fingerprintWords } from '@passwordbroker/core/domain/keyring/fingerprint-words';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import '../../testing/patient.ts';
import { answerLists, asOf, listsOf } from '@passwordbroker/client/testing/forged-lists.node';
import { showVault } from '../../testing/shown-vault.node.tsx';
import { takeIn } from '@passwordbroker/client/testing/take-in.node';
import { addSecret, groupWithSecret, mateOf, type Mate, trustGroup } from '@passwordbroker/client/testing/team.node';
import { withPeople } from '@passwordbroker/client/testing/with-vaults.node';
import { TRUST_PROBLEM_TEXTS } from '@passwordbroker/client/texts/keyring';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import type { FieldPath } from '@passwordbroker/client/vault/vault';
import { GroupTrustBanner } from './group-trust-banner.tsx';
import { SignedPeople } from './signed-people.tsx';
import { trustQuestions } from '../../page/vault.ts';

let people: readonly [SignedIn, SignedIn, SignedIn];
withPeople(['ada', 'bob', 'eve'], (_app, all) => (people = all));

let ada: Mate;
let bob: Mate;
beforeAll(async () => {
  // Their trust records must exist before anything is shared.
  for (const person of people) await mateOf(person);
});
beforeEach(async () => {
  [ada, bob] = [await mateOf(people[0]), await mateOf(people[1])];
});
afterEach(() => {
  trustQuestions.cancel();
  cleanup();
});

const banner = (groupId: string, isAdmin = false) => <GroupTrustBanner groupId={groupId} isAdmin={isAdmin} />;
const written = (mate: Mate) =>
  mate.requests.filter((request) => !request.startsWith('GET') && !/documents\/trust|wraps$|released/.test(request));

/** A group of Ada's that Bob sees for the first time. */
async function shared(): Promise<FieldPath> {
  const path = await groupWithSecret(ada, 'x');
  await takeIn(ada, path.entryGroupId, people[1], 'admin');
  return path;
}

/**
 * Opens the group again and writes the record at once, not seconds later as after an automatic acceptance.
 */
async function accepted(mate: Mate, groupId: string) {
  mate.keyring.lock();
  await mate.keyring.unlock(mate.person.masterPassword);
  await mate.read.examine(groupId);
  await mate.write.trust.recordWords();
}

/** Opens the group again with this answer of the server. */
async function answering(mate: Mate, groupId: string, answer: (honest: RosterAnswer) => RosterAnswer) {
  mate.keyring.lock();
  answerLists(mate, groupId, answer);
  await mate.keyring.unlock(mate.person.masterPassword);
  await mate.read.examine(groupId).catch(() => undefined);
}

describe('a group with an unknown signer', () => {
  test('is read without a question; the first write asks once, with the words of the key, and then continues', async () => {
    const path = await shared();
    const masterPassword = showVault(bob, banner(path.entryGroupId));
    expect((await bob.read.reveal(path)).text).toBe('x');
    await screen.findByText(TEXTS.unconfirmedTitle);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    bob.requests.length = 0;
    const writing = masterPassword.use(() => addSecret(bob, path, 'new'), { label: 'write' });
    const dialog = await screen.findByRole('alertdialog');
    expect(written(bob)).toEqual([]);
    await within(dialog).findByText(fingerprintWords(people[0].keyring.fingerprint)[0] ?? '');
    expect(dialog.textContent).toContain(TEXTS.whoSharesText('ada'));
    fireEvent.click(within(dialog).getByText(TEXTS.forNow));
    await writing;
    await expect.poll(() => screen.queryByText(TEXTS.unconfirmedTitle)).toBeNull();
    // Another group of hers causes no question.
    const second = await shared();
    await masterPassword.use(() => addSecret(bob, second, 'new'), { label: 'write' });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('after Cancel nothing is sent, and only a new operation asks again', async () => {
    const eve = await mateOf(people[2]);
    const path = await groupWithSecret(eve, 'x');
    await takeIn(eve, path.entryGroupId, people[1], 'admin');
    const masterPassword = showVault(bob, banner(path.entryGroupId));
    const act = () => masterPassword.use(() => addSecret(bob, path, 'new'), { label: 'write' });
    const first = act();
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByText(TEXTS.cancel));
    await expect(first).rejects.toBeInstanceOf(MasterPasswordCancelled);
    expect(written(bob)).toEqual([]);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    const again = act();
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByText(TEXTS.cancel));
    await expect(again).rejects.toBeInstanceOf(MasterPasswordCancelled);
  });
});

describe('M43 a path that another group has', () => {
  const rename = (name: string) => (asked: string, honest: unknown) =>
    JSON.parse(JSON.stringify(honest).replaceAll('Staging of Ada', asked === '' ? '' : name)) as unknown;

  test('a new group of the same name, in other case and with other spaces, names both and is only compared', async () => {
    await bob.write.createGroup({ name: 'Payroll', parentId: null, sameMembers: false });
    const { entryGroup } = await ada.write.createGroup({ name: 'PAYROLL', parentId: null, sameMembers: false });
    const groupId = entryGroup.entry_group_id;
    await takeIn(ada, groupId, people[1], 'admin');
    const entry = await ada.write.createEntry(groupId, 'E');
    const path = { entryGroupId: groupId, entryId: entry.entry_id };
    const masterPassword = showVault(bob, banner(groupId));
    await bob.read.examine(groupId);
    await screen.findByText(TEXTS.samePathTitle('PAYROLL'));
    const writing = masterPassword.use(() => addSecret(bob, path, 'new'), { label: 'write' });
    const dialog = await screen.findByRole('alertdialog');
    expect(within(dialog).queryByText(TEXTS.forNow)).toBeNull();
    expect(written(bob).filter((request) => request.includes(groupId))).toEqual([]);
    await within(dialog).findByText(fingerprintWords(people[0].keyring.fingerprint)[0] ?? '');
    fireEvent.click(within(dialog).getByText(TEXTS.compared));
    await writing;
  });

  test('equal names in different places ask nothing; a plain rename is told once', async () => {
    const { entryGroup: top } = await bob.write.createGroup({ name: 'Top', parentId: null, sameMembers: false });
    for (const parentId of [null, top.entry_group_id]) {
      const { entryGroup } = await bob.write.createGroup({ name: 'Twice', parentId, sameMembers: false });
      await bob.read.examine(entryGroup.entry_group_id);
      expect(bob.vault.trust.details(entryGroup.entry_group_id)?.trust.state).toBe('confirmed');
    }
    const { entryGroup } = await bob.write.createGroup({ name: 'Staging of Ada', parentId: null, sameMembers: false });
    const groupId = entryGroup.entry_group_id;
    bob.keyring.lock();
    bob.forge = rename('Renamed');
    await bob.keyring.unlock(bob.person.masterPassword);
    await bob.read.examine(groupId);
    const first = bob.vault.trust.details(groupId);
    expect([first?.trust.state, first?.formerName]).toEqual(['confirmed', 'Staging of Ada']);
    await bob.write.trust.recordWords();
    await accepted(bob, groupId);
    expect(bob.vault.trust.details(groupId)?.formerName).toBeNull();
  });
});

describe('a list that does not follow', () => {
  test('M50, M57 shows names of the record, whatever the server calls people', async () => {
    const path = await shared();
    const groupId = path.entryGroupId;
    await trustGroup(bob, groupId);
    const before = await listsOf(ada, groupId);
    await takeIn(ada, groupId, people[2], 'member');
    await accepted(bob, groupId);
    // Rolled back to before Eve; the server also shows other names for everyone.
    const misnamed = (asked: string, honest: unknown) =>
      asked.includes(`${groupId}/roster`)
        ? asOf({ ...(honest as RosterAnswer), rosters: before.rosters }, before.rosters.at(-1)?.seq ?? 0)
        : (JSON.parse(JSON.stringify(honest).replaceAll('"name":"ada"', '"name":"Adam"')) as unknown);
    bob.keyring.lock();
    bob.forge = misnamed;
    await bob.keyring.unlock(bob.person.masterPassword);
    await bob.read.examine(groupId).catch(() => undefined);
    showVault(bob, banner(groupId, true));
    await screen.findByText(TEXTS.readOnly['rolled-back']);
    fireEvent.click(screen.getByRole('button', { name: TEXTS.goOn }));
    const dialog = await screen.findByRole('alertdialog');
    await within(dialog).findByText(/Signed by/);
    expect(dialog.textContent).not.toContain('Adam');
    // The name that Bob confirmed.
    expect(dialog.textContent).toMatch(/Signed by (ada|the signer) \(compared\)/);
  });

  test('M50 an exchange between dialog and press is refused, and the row stays', async () => {
    const path = await shared();
    const groupId = path.entryGroupId;
    await trustGroup(bob, groupId);
    await takeIn(ada, groupId, people[2], 'member');
    await ada.write.members.changeRole(groupId, people[2].userId, 'moderator');
    await accepted(bob, groupId);
    const all = await listsOf(bob, groupId, 0);
    await answering(bob, groupId, () => asOf(all, 2));
    showVault(bob, banner(groupId, true));
    fireEvent.click(await screen.findByRole('button', { name: TEXTS.goOn }));
    const dialog = await screen.findByRole('alertdialog');
    await within(dialog).findByText(/Signed by/);
    await answering(bob, groupId, () => asOf(all, 1));
    expect(bob.vault.trust.details(groupId)?.newest?.seq).toBe(1);
    fireEvent.click(within(dialog).getByRole('button', { name: TEXTS.goOn }));
    expect((await within(dialog).findByRole('alert')).textContent).toContain(TRUST_PROBLEM_TEXTS.other_list);
    expect(bob.vault.trust.details(groupId)?.trust.state).not.toBe('confirmed');
  });
});

describe('M60 the head of a group', () => {
  test('counts the people of the signed list, whatever the server says, and names them by the record', async () => {
    const path = await shared();
    const { entryGroupId: groupId } = path;
    ada.forge = (asked, honest) =>
      /\/users/.test(asked) && Array.isArray(honest)
        ? honest.filter(({ user_id }: { user_id: string }) => user_id === people[0].userId)
        : honest;
    await ada.read.examine(groupId);
    showVault(ada, <SignedPeople groupId={groupId} />);
    const count = await screen.findByRole('button', { name: TEXTS.people(2) });
    fireEvent.click(count);
    expect((await screen.findByRole('dialog')).textContent).toContain('bob');
  });

  test('says “Only you” for a group with one member', async () => {
    const { entryGroupId } = await groupWithSecret(ada, 'x');
    await ada.read.examine(entryGroupId);
    showVault(ada, <SignedPeople groupId={entryGroupId} />);
    await screen.findByRole('button', { name: TEXTS.onlyYou });
  });
});
