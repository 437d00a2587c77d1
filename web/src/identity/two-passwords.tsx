import { IDENTITY_TEXTS as TEXTS } from '../texts/identity.ts';

/** What the two passwords of an account are for. */
export function TwoPasswords() {
  return (
    <>
      <h2>{TEXTS.sideSignUp}</h2>
      <dl>
        <div>
          <dt>{TEXTS.password}</dt>
          <dd>{TEXTS.sidePassword}</dd>
        </div>
        <div>
          <dt>{TEXTS.masterPassword}</dt>
          <dd>{TEXTS.sideMasterPassword}</dd>
        </div>
      </dl>
    </>
  );
}
