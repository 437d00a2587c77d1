/**
 * Asks a passkey for the secret that opens the vault (PRF output). The output goes from here to the worker that holds the
 * keys, and nowhere else.
 */
import { PRF_BYTES, PRF_INPUT_HEX } from '@passwordbroker/core/domain/keyring/prf-input';
import type { PasskeyAnswer } from '../keyring/passkey-answer.ts';

/** `browserOff`: the browser does not let this page use passkeys of the host. */
type Refused = 'alreadyAdded' | 'browserOff' | 'failedHere' | 'noneHere' | 'noneUsed' | 'noOutput';

/** Each client has a sentence for each code. */
export class PasskeyRefusal extends Error {
  override readonly name = 'PasskeyRefusal';
  readonly code: Refused;

  constructor(code: Refused, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

interface Asked {
  readonly credential_id: string;
  readonly rp_id: string;
}

export const TIMEOUT_MS = 120_000;

/**
 * Asks for one of these passkeys, with user verification. The signature is not checked: only the output matters.
 * @param host of the server. The page belongs to it, or is of an extension that may reach it
 * @throws PasskeyRefusal
 */
export async function askPrf(passkeys: readonly Asked[], host: string): Promise<PasskeyAnswer> {
  const here = passkeys.filter(({ rp_id }) => rp_id === host);
  if (here.length === 0) throw new PasskeyRefusal('noneHere');
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = {
    challenge: base64url(crypto.getRandomValues(new Uint8Array(32))),
    rpId: host,
    allowCredentials: here.map(({ credential_id }) => ({ type: 'public-key' as const, id: credential_id })),
    userVerification: 'required' as const,
    timeout: TIMEOUT_MS,
    extensions: withPrf({}),
  };
  const { id, clientExtensionResults } = await startAuthentication({ optionsJSON }).catch((failure: unknown) => {
    throw refusalOf(failure);
  });
  const { output } = takePrf(clientExtensionResults);
  if (output === null) throw new PasskeyRefusal('noOutput');
  return { credentialId: id, prf: output };
}

export const withPrf = <Extensions extends object>(extensions: Extensions) => ({
  ...extensions,
  prf: { eval: { first: Uint8Array.from(PRF_INPUT_HEX.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16)) } },
});

/** Takes the output out of the results, so that nothing built from them has it. */
export function takePrf(results: object): { readonly output: ArrayBuffer | null; readonly isEnabled: boolean } {
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

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The browser says the same for a closed dialog, a timeout and a passkey that is not here. */
export function refusalOf(failure: unknown): PasskeyRefusal {
  const names = [failure, failure instanceof Error ? failure.cause : null].map((one) =>
    one instanceof Error ? one.name : '',
  );
  const is = (...wanted: readonly string[]) => wanted.some((name) => names.includes(name));
  const options = { cause: failure };
  if (is('InvalidStateError')) return new PasskeyRefusal('alreadyAdded', options);
  if (is('NotAllowedError', 'AbortError')) return new PasskeyRefusal('noneUsed', options);
  if (is('SecurityError')) return new PasskeyRefusal('browserOff', options);
  return new PasskeyRefusal('failedHere', options);
}
