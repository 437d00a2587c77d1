import { confirmOptions, confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import { answerWithPasskey } from '../passkeys/use-passkey.tsx';
import { http } from '../page/page.ts';

/** Makes a fresh sign-in with a passkey that signs in. @throws PasskeyError; AppError `validation` */
export async function confirmWithPasskey(): Promise<void> {
  const { options, options_token } = await http.call(confirmOptions, { body: {} });
  const assertion = await answerWithPasskey(options);
  await http.call(confirmPassword, { body: { assertion, options_token } });
}
