/** The dialog with a real server: members by sentence, strangers by name, and people whom nobody has signed. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { vaultOf } from '@passwordbroker/client/testing/real-vault.node';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sharing } from '../../../server/src/members/testing/sharing.ts';
import { joinGroup } from '../../../server/src/testing/join-group.ts';
import { createSealedPlace, sealedField } from '../../../server/src/testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import '../testing/patient.ts';
import { showVault } from '../testing/shown-vault.node.tsx';
import { WhoCanSeeDialog } from './who-can-see-dialog.tsx';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());
afterEach(cleanup);

const sentences = async () =>
  (await screen.findAllByRole('listitem', { hidden: true })).map((row) =>
    [...row.querySelectorAll('p')].map((line) => line.textContent?.trim()).join(' '),
  );

test('one sentence for each person; a stranger is marked, and one who cannot read is found by name', async () => {
  const [bob, mallory] = [await app.signUp('Bob'), await app.signUp('Mallory')];
  await app.signUp('Eve');
  const place = await createSealedPlace(ada, { name: 'Ops', entry: 'Mail' });
  await sharing(app).add(ada, place.g, bob, 'member');
  const body = await sealedField(place, { type: 'note', title: 'note', value: utf8('value') });
  const { field_id: f } = await ada.call(fields.create, { params: place, body });
  await bob.call(fields.envelope, { params: { ...place, f } });
  await joinGroup(app, place.g, mallory, 'moderator');

  const real = vaultOf(ada);
  await real.keyring.unlock(ada.masterPassword);
  await real.vault.read.examine(place.g);
  showVault(
    real,
    <WhoCanSeeDialog
      group={{ id: place.g, title: 'Ops' }}
      entry={{ id: place.e, title: 'Mail' }}
      selfId={ada.userId}
      onClose={() => undefined}
    />,
  );
  await screen.findByText(/^You can read this/);
  expect(await sentences()).toEqual([
    'You can read this: admin of Ops. You have opened 1 of 1 value.',
    'The server lists Mallory, but no admin has signed this. Mallory gets no keys.',
    expect.stringMatching(/^Bob can read this: member of Ops\. They have opened 1 of 1 value, last \d{4}\./),
  ]);
  fireEvent.change(screen.getByLabelText('Find a person'), { target: { value: 'eve' } });
  await screen.findByText('Eve cannot read this: not a member of Ops.');
  expect(await sentences()).toEqual(['Eve cannot read this: not a member of Ops.']);
});
