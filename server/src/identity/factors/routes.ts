import * as factors from '@passwordbroker/core/contract/account/factors';
import { on, type Route } from '../../http/route.ts';
import { readAccount } from '../../users/find-people.ts';
import { counted } from '../count-sign-ins.ts';
import { factorOptionsOf, signInWithFactor } from '../sign-in.ts';
import { isTicketOfToken } from '../tickets.ts';
import {
  accountOf,
  beginTotp,
  confirmTotp,
  demandFactor,
  readFactors,
  removeTotp,
  renewRecoveryCodes,
} from './enrol.ts';
import { isRecoveryCode } from './judge-code.ts';
import { forgetBrowsers } from './remembered-browsers.ts';
import { factorsOf, resetFactors } from './reset.ts';

export const routes: readonly Route[] = [
  on(
    factors.loginFactor,
    (context) => counted(context.deps, 'second_factor', () => signInWithFactor(context.deps, context, context.body)),
    {
      needsNoCsrf: ({ ticket }) => isTicketOfToken(ticket),
    },
  ),
  on(factors.factorOptions, (context) => factorOptionsOf(context, context.body.ticket)),
  on(factors.get, (context) => readFactors(context)),
  on(factors.beginTotp, (context) => beginTotp(context)),
  on(factors.confirmTotp, (context) => {
    const { code, revoke_tokens: endsTokens = true } = context.body;
    return confirmTotp(context, { totpId: context.params.totpId, code, endsTokens });
  }),
  on(factors.removeTotp, (context) => removeTotp(context, context.params.totpId)),
  on(factors.makeRecoveryCodes, (context) => renewRecoveryCodes(context)),
  on(factors.checkRecoveryCode, async (context) => {
    const user = await accountOf(context);
    demandFactor(user);
    return { is_good: await isRecoveryCode(context.deps, context, user, context.body.code) };
  }),
  on(factors.forgetBrowser, async (context) => {
    await forgetBrowsers(context.deps, context, context.params.browserId);
    return undefined;
  }),
  on(factors.forgetBrowsers, async (context) => ({ ended: await forgetBrowsers(context.deps, context) })),
  on(factors.ofUser, ({ deps, params }) => factorsOf(deps, params.id)),
  on(factors.reset, async (context) => {
    const code = await resetFactors(context.deps, context, context.params.id);
    return { user: await readAccount(context.deps, context.params.id), ...code };
  }),
];
