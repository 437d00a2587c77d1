/** Plain form only: clients with keys do this themselves. */
import { decrypted, historyDecrypted } from '@passwordbroker/core/contract/entries/fields';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { changeMasterPassword, trustGroup, trustKey } from '@passwordbroker/core/contract/account/own-keys';
import { refuse } from '@passwordbroker/core/contract/problem';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { changeOwnMasterPassword, newMasterPasswordTexts } from './new-master-password.ts';
import { trustGroupWithMasterPassword } from './trust/go-on.ts';
import { trustKeyWithMasterPassword } from './trust/trusted-key.ts';
import { revealHistory, revealValue } from './fields/decrypted.ts';

function refuseSealed(): never {
  throw refuse('key_bundle', TEXTS.unexpected('key bundle'));
}

export const routes: readonly Route[] = [
  on(trustKey, { plain: trustKeyWithMasterPassword }),
  on(trustGroup, { plain: trustGroupWithMasterPassword }),
  on(decrypted, { plain: revealValue }),
  on(historyDecrypted, { plain: revealHistory }),
  on(
    changeMasterPassword,
    { sealed: refuseSealed, plain: changeOwnMasterPassword },
    { plainTexts: newMasterPasswordTexts },
  ),
];
