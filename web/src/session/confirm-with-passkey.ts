import { confirmOptions, confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import { answerWithPasskey } from '../passkeys/use-passkey.tsx';
import { http } from '../page/page.ts';

/**
 * Makes a fresh sign-in. @param password with a security key; absent: with a passkey that signs in alone
 * @throws PasskeyError; AppError `validation`
 */
export async function confirmWithPasskey(password?: string): Promise<void> {
  const with_password = password !== undefined;
  const { options, options_token } = await http.call(confirmOptions, { body: { with_password } });
  const assertion = await answerWithPasskey(options);
  await http.call(confirmPassword, { body: { password, assertion, options_token } });
}
