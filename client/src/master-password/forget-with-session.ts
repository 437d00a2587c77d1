/** Cancels the entry of a master password when the session ends. */
import type { Session } from '../session/session.ts';
import type { MasterPassword } from './master-password.ts';

export function forgetWithSession(
  masterPassword: Pick<MasterPassword, 'forget'>,
  session: Pick<Session, 'subscribe' | 'view'>,
): void {
  session.subscribe(() => {
    if (session.view().user === null) masterPassword.forget();
  });
}
