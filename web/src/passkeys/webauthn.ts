/**
 * The only module of the web client that calls WebAuthn. The PRF output of a passkey opens the vault: it goes from here to
 * the worker that holds the keys, and nowhere else.
 */
import type { register, signIn } from '@passwordbroker/core/contract/account/passkeys';
import type { CreationOptions } from '@passwordbroker/core/contract/account/webauthn';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import {
  askPrf,
  PasskeyRefusal,
  refusalOf,
  takePrf,
  TIMEOUT_MS,
  withPrf,
} from '@passwordbroker/client/browser/webauthn';
import { type PasskeyAnswer, wipeAnswer } from '@passwordbroker/client/keyring/passkey-answer';
import { PASSKEY_TEXTS as TEXTS } from '../texts/identity/passkeys.ts';

type Attestation = BodyOf<typeof register>['attestation'];
type Assertion = BodyOf<typeof signIn>['assertion'];

/** The message is for the person. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

/** A page on an IP address or without HTTPS has none. */
export const hasWebAuthn = (): boolean => typeof PublicKeyCredential === 'function';

/**
 * Asks for one of these passkeys of this host.
 * @throws PasskeyError
 */
export const askPasskey = (passkeys: Parameters<typeof askPrf>[0]): Promise<PasskeyAnswer> =>
  askPrf(passkeys, location.hostname).catch(throwInWords);

interface MadePasskey {
  /** What is sent to the server. */
  readonly attestation: Attestation;
  /** Of a second use, which the wrap is made with. */
  readonly answer: PasskeyAnswer;
}

/**
 * Makes a passkey and uses it once: some authenticators answer differently at the creation.
 * @param onMade called before it is used
 * @throws PasskeyError, also for a passkey that cannot open a vault
 */
export async function createPasskey(options: CreationOptions, onMade: () => void): Promise<MadePasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  // Other extensions that the server asks for are dropped.
  const extensions = withPrf({ credProps: options.extensions.credProps });
  const optionsJSON = { ...options, extensions } as Parameters<typeof startRegistration>[0]['optionsJSON'];
  const made = await startRegistration({ optionsJSON }).catch(throwInWords);
  const { output: first, isEnabled } = takePrf(made.clientExtensionResults);
  try {
    if (!isEnabled) throw new PasskeyError(TEXTS.cannotUnlock);
    onMade();
    const answer = await askPasskey([{ credential_id: made.id, rp_id: options.rp.id }]);
    try {
      if (first !== null && !isSame(first, answer.prf)) throw new PasskeyError(TEXTS.twoAnswers);
      const { clientDataJSON, attestationObject, transports = [] } = made.response;
      if ([clientDataJSON, attestationObject].some((sent) => contains(sent, answer.prf))) {
        throw new PasskeyError(TEXTS.exposed);
      }
      const response = { clientDataJSON, attestationObject, transports: [...transports] };
      return { attestation: { id: made.id, rawId: made.rawId, type: 'public-key', response }, answer };
    } catch (failure) {
      wipeAnswer(answer);
      throw failure;
    }
  } finally {
    if (first !== null) wipeAnswer({ prf: first });
  }
}

/** Makes a passkey that signs in, or a security key. Nothing secret is asked of it. @throws PasskeyError */
export async function createPlainPasskey(options: CreationOptions): Promise<Attestation> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = { ...options, extensions: { credProps: options.extensions.credProps } };
  const { id, rawId, response } = await startRegistration({ optionsJSON } as Parameters<
    typeof startRegistration
  >[0]).catch(throwInWords);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, transports: [...transports] },
  };
}

interface AnswerAsked {
  readonly challenge: string;
  readonly rpId: string;
  readonly userVerification: 'preferred' | 'required';
  /** Without it, the authenticator offers its discoverable passkeys of this site. */
  readonly allowCredentials?: readonly { readonly type: 'public-key'; readonly id: string }[];
}

/** Uses a passkey that signs in, or a security key. @throws PasskeyError */
export async function answerWithPasskey(asked: AnswerAsked): Promise<Assertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { challenge, rpId, userVerification, allowCredentials = [] } = asked;
  const allowed = allowCredentials.map(({ type, id }) => ({ type, id }));
  const optionsJSON = {
    challenge,
    rpId,
    allowCredentials: allowed,
    userVerification,
    timeout: TIMEOUT_MS,
  };
  const { id, rawId, response } = await startAuthentication({ optionsJSON }).catch(throwInWords);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  // Some authenticators leave it out if the options name passkeys.
  const handle = userHandle === undefined ? {} : { userHandle };
  return { id, rawId, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, ...handle } };
}

function isSame(one: ArrayBuffer, other: ArrayBuffer): boolean {
  const bytes = new Uint8Array(other);
  return new Uint8Array(one).every((byte, at) => byte === bytes[at]);
}

/** @param sent base64url */
function contains(sent: string, secret: ArrayBuffer): boolean {
  const text = atob(sent.replaceAll('-', '+').replaceAll('_', '/'));
  return text.includes(String.fromCharCode(...new Uint8Array(secret)));
}

function throwInWords(failure: unknown): never {
  const { code } = failure instanceof PasskeyRefusal ? failure : refusalOf(failure);
  throw new PasskeyError(TEXTS[code], { cause: failure });
}
