/** CSV files of known programs (IM1, IM2). */
import { expect, test } from 'vitest';
import { fixture, fixturePath, readFile } from '../../../testing/exchange/read-file.ts';
import { treeText } from '../../../testing/exchange/tree-text.ts';

test.each([
  ['1password', '1password-csv'],
  ['apple', 'apple-csv'],
  ['bitwarden', 'bitwarden-csv'],
  ['bitwarden-organisation', 'bitwarden-csv'],
  ['chrome', 'chrome-csv'],
  ['firefox', 'firefox-csv'],
  ['keepass', 'keepass-csv'],
  ['keepassxc', 'keepassxc-csv'],
  ['keeper', 'keeper-csv'],
  ['lastpass', 'lastpass-csv'],
  ['lastpass-entities', 'lastpass-csv'],
  ['lastpass-forms', 'lastpass-forms-csv'],
  ['nordpass', 'nordpass-csv'],
  ['passbolt', 'passbolt-csv'],
  ['proton', 'proton-csv'],
  ['teampass', 'teampass-csv'],
  ['dashlane/credentials', 'dashlane-csv'],
  ['dashlane/securenotes', 'dashlane-notes-csv'],
  ['dashlane/payments', 'dashlane-payments-csv'],
  ['dashlane/ids', 'dashlane-ids-csv'],
  ['dashlane/personalInfo', 'dashlane-personal-csv'],
  ['dashlane/wifi', 'dashlane-wifi-csv'],
])('IM2: %s', async (name, kind) => {
  const { id, tree } = await readFile(fixture(`csv/${name}.csv`));
  expect(id).toBe(kind);
  await expect(treeText(tree)).toMatchFileSnapshot(fixturePath(`csv/${name}.expected.json`));
});
