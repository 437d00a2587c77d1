/** Verifies what browser and authenticator answer when a passkey is made or used. The library loads at first use. */
import type { register } from '@passwordbroker/core/contract/account/passkeys';
import type { Assertion } from '@passwordbroker/core/contract/account/webauthn';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';

type Attestation = BodyOf<typeof register>['attestation'];

/** EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];
/** How long browsers wait for the person. */
export const PASSKEY_TIMEOUT_MS = 120_000;
const MOST_CREDENTIAL_BYTES = 1023;

export interface MadePasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly aaguid: string;
  readonly isBackedUp: boolean;
}

interface Expected {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  readonly needsVerification: boolean;
}

/** Returns null if the response is malformed, or was not made by a page of this site for this challenge. */
export async function readAttestation(attestation: Attestation, expected: Expected): Promise<MadePasskey | null> {
  if (isCrossOrigin(attestation.response.clientDataJSON)) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { transports: _, ...response } = attestation.response;
  const result = await verifyRegistrationResponse({
    response: { ...attestation, response, clientExtensionResults: {} },
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origin,
    expectedRPID: expected.rpId,
    requireUserVerification: expected.needsVerification,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (result?.verified !== true) return null;
  const { credential, aaguid, credentialBackedUp } = result.registrationInfo;
  const credentialId = Buffer.from(credential.id, 'base64url');
  if (credentialId.length === 0 || credentialId.length > MOST_CREDENTIAL_BYTES) return null;
  return {
    credentialId,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    aaguid,
    isBackedUp: credentialBackedUp,
  };
}

interface StoredPasskey {
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
}

/**
 * Returns the counter of the authenticator, which the caller compares with the stored one. Null if the assertion is
 * malformed, did not verify the person although that is needed, or was not made by this passkey on a page of this site for this challenge.
 */
export async function readAssertion(
  { response, ...assertion }: Assertion,
  { credential_id, public_key }: StoredPasskey,
  expected: Expected,
): Promise<number | null> {
  // The caller checks the user handle.
  const { userHandle: _, ...signed } = response;
  if (isCrossOrigin(response.clientDataJSON)) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const result = await verifyAuthenticationResponse({
    response: { ...assertion, response: signed, clientExtensionResults: {} },
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origin,
    expectedRPID: expected.rpId,
    requireUserVerification: expected.needsVerification,
    credential: { id: credential_id.toString('base64url'), publicKey: new Uint8Array(public_key), counter: 0 },
  }).catch(() => null);
  return result?.verified === true ? result.authenticationInfo.newCounter : null;
}

/** Whether the page was in a frame of another site, which the library does not check. Also true for malformed JSON. */
function isCrossOrigin(clientDataJson: string): boolean {
  try {
    const read = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { crossOrigin?: unknown };
    return read.crossOrigin !== undefined && read.crossOrigin !== false;
  } catch {
    return true;
  }
}
