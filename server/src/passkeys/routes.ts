import { counted } from '../identity/count-sign-ins.ts';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { answer } from '../http/answer/answer.ts';
import { passkeySignInOptions, signInWithPasskey } from '../identity/passkey-sign-in.ts';
import { on, type Route } from '../http/route.ts';
import { replacedVersion } from '../users/keys/slots-and-documents.ts';
import {
  listOwnPasskeys,
  registerPasskey,
  registrationOptions,
  removePasskey,
  renamePasskey,
} from './register-passkey.ts';
import { demandUse } from './rules.ts';
import { removeOwnWrap, storeOwnWrap } from './wraps.ts';

export const routes: readonly Route[] = [
  on(passkeys.listAll, ({ deps, actor }) => listOwnPasskeys(deps, actor)),
  on(passkeys.registrationOptions, (context) => registrationOptions(context, context.body.uses)),
  on(passkeys.register, async (context) => answer(201, await registerPasskey(context))),
  on(passkeys.signInOptions, (context) => passkeySignInOptions(context)),
  on(passkeys.signIn, (context) =>
    counted(context.deps, 'passkey', () => signInWithPasskey(context.deps, context, context.body)),
  ),
  on(passkeys.rename, (context) => renamePasskey(context, context.params.passkeyId, context.body.name)),
  on(passkeys.remove, (context) => removePasskey(context, context.params.passkeyId)),
  on(passkeys.storeWrap, async (context) => {
    await demandUse(context.deps, 'unlock');
    return storeOwnWrap(context, replacedVersion(context));
  }),
  on(passkeys.removeWrap, async (context) =>
    removeOwnWrap(context.deps, context, {
      passkeyId: context.params.passkeyId,
      version: replacedVersion(context),
    }),
  ),
];
