import { IDENTITY_TEXTS } from '../../texts/identity/identity.ts';
import { SIGN_UP_TEXTS } from '../../texts/identity/signed-out.ts';

/** Explains the two passwords of an account. */
export function TwoPasswords() {
  return (
    <>
      <h2>{SIGN_UP_TEXTS.sideSignUp}</h2>
      <dl>
        <div>
          <dt>{IDENTITY_TEXTS.password}</dt>
          <dd>{SIGN_UP_TEXTS.sidePassword}</dd>
        </div>
        <div>
          <dt>{SIGN_UP_TEXTS.masterPassword}</dt>
          <dd>{SIGN_UP_TEXTS.sideMasterPassword}</dd>
        </div>
      </dl>
    </>
  );
}
