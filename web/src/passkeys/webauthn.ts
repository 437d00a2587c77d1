/**
 * The only module that calls WebAuthn. The PRF output of a passkey opens the vault: it goes from here to the worker
 * that holds the keys, and nowhere else.
 */
import type { register, signIn } from '@passwordbroker/core/contract/account/passkeys';
import type { CreationOptions } from '@passwordbroker/core/contract/account/webauthn';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { PRF_BYTES, PRF_INPUT_HEX } from '@passwordbroker/core/domain/keyring/prf-input';
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

interface Asked {
  readonly credential_id: string;
  readonly rp_id: string;
}

const TIMEOUT_MS = 120_000;

/**
 * Asks for one of these passkeys, with user verification. The signature is not checked: only the output matters.
 * @throws PasskeyError
 */
export async function askPasskey(passkeys: readonly Asked[]): Promise<PasskeyAnswer> {
  const here = passkeys.filter(({ rp_id }) => rp_id === location.hostname);
  if (here.length === 0) throw new PasskeyError(TEXTS.noneHere);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = {
    challenge: base64url(crypto.getRandomValues(new Uint8Array(32))),
    rpId: location.hostname,
    allowCredentials: here.map(({ credential_id }) => ({ type: 'public-key' as const, id: credential_id })),
    userVerification: 'required' as const,
    timeout: TIMEOUT_MS,
    extensions: withPrf({}),
  };
  const { id, clientExtensionResults } = await startAuthentication({ optionsJSON }).catch(throwRefusal);
  const { output } = takePrf(clientExtensionResults);
  if (output === null) throw new PasskeyError(TEXTS.noOutput);
  return { credentialId: id, prf: output };
}

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
  const made = await startRegistration({ optionsJSON }).catch(throwRefusal);
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
  >[0]).catch(throwRefusal);
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
  const { id, rawId, response } = await startAuthentication({ optionsJSON }).catch(throwRefusal);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  // Some authenticators leave it out if the options name passkeys.
  const handle = userHandle === undefined ? {} : { userHandle };
  return { id, rawId, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, ...handle } };
}

const withPrf = <Extensions extends object>(extensions: Extensions) => ({
  ...extensions,
  prf: { eval: { first: Uint8Array.from(PRF_INPUT_HEX.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16)) } },
});

/** Takes the output out of the results, so that nothing built from them has it. */
function takePrf(results: object): { readonly output: ArrayBuffer | null; readonly isEnabled: boolean } {
  const { prf } = results as { prf?: { enabled?: boolean; results?: { first?: ArrayBuffer | ArrayBufferView } } };
  delete (results as { prf?: unknown }).prf;
  const first = prf?.results?.first;
  const isEnabled = prf?.enabled === true || first !== undefined;
  if (first === undefined || first.byteLength !== PRF_BYTES) return { output: null, isEnabled };
  if (first instanceof ArrayBuffer) return { output: first, isEnabled };
  const view = new Uint8Array(first.buffer, first.byteOffset, first.byteLength);
  const output = view.slice().buffer;
  view.fill(0);
  return { output, isEnabled };
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

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The browser says the same for a closed dialog, a timeout and a passkey that is not here. */
function throwRefusal(failure: unknown): never {
  const names = [failure, failure instanceof Error ? failure.cause : null].map((one) =>
    one instanceof Error ? one.name : '',
  );
  if (names.includes('InvalidStateError')) throw new PasskeyError(TEXTS.alreadyAdded, { cause: failure });
  if (names.includes('NotAllowedError') || names.includes('AbortError')) {
    throw new PasskeyError(TEXTS.noneUsed, { cause: failure });
  }
  throw new PasskeyError(TEXTS.failedHere, { cause: failure });
}
