/** A software authenticator: makes and uses passkeys with ES256 and attestation `none`. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { CreationOptions } from '@passwordbroker/core/contract/account/webauthn';

/** Changes that a dishonest page or authenticator makes. */
interface Lies {
  readonly userHandle?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly isVerified?: boolean;
  readonly type?: string;
  readonly counter?: number;
}

export interface SoftPasskey {
  readonly id: string;
  readonly rpId: string;
  /** Base64url. */
  readonly userHandle: string;
  readonly key: KeyObject;
  counter: number;
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer) => bytes.toString('base64url');

/** The part of the options that this authenticator uses. */
type Asked = Pick<CreationOptions, 'challenge'> & {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
};

/** A new passkey, and the body member `attestation` of its registration. */
export function makePasskey(options: Asked, origin: string, lies: Lies = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const rpId = lies.rpId ?? options.rp.id;
  const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, coseKey(publicKey)]);
  const authData = authenticatorData({ ...lies, rpId, counter: 0 }, attested);
  const attestationObject = Buffer.concat([
    map(3),
    text('fmt'),
    text('none'),
    text('attStmt'),
    map(0),
    text('authData'),
    bytes(authData),
  ]);
  const clientDataJSON = clientData({ type: 'webauthn.create', challenge: options.challenge, origin, ...lies });
  const passkey: SoftPasskey = {
    id: base64url(id),
    rpId,
    userHandle: options.user.id,
    key: privateKey,
    counter: 0,
  };
  const attestation = {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    },
  };
  return { passkey, attestation };
}

/** The body member `assertion` of an answer to `challenge`. */
export function answerWith(passkey: SoftPasskey, challenge: string, origin: string, lies: Lies = {}) {
  passkey.counter = lies.counter ?? passkey.counter + 1;
  const authData = authenticatorData({ ...lies, rpId: lies.rpId ?? passkey.rpId, counter: passkey.counter });
  const clientDataJSON = clientData({ type: 'webauthn.get', challenge, origin, ...lies });
  const signature = sign('sha256', Buffer.concat([authData, sha256(clientDataJSON)]), passkey.key);
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle: lies.userHandle ?? passkey.userHandle,
    },
  };
}

function clientData({ type, challenge, origin, crossOrigin = false }: Lies): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
}

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

function authenticatorData({ rpId = '', isVerified = true, counter = 0 }: Lies, attested?: Buffer): Buffer {
  const flags = PRESENT | (isVerified ? VERIFIED : 0) | (attested === undefined ? 0 : ATTESTED);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.of(flags), count, attested ?? Buffer.alloc(0)]);
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = (part: string) => bytes(Buffer.from(part, 'base64url'));
  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  return Buffer.concat([
    map(5),
    Buffer.of(0x01, 0x02, 0x03, 0x26, 0x20, 0x01),
    Buffer.of(0x21),
    point(x),
    Buffer.of(0x22),
    point(y),
  ]);
}

function uint16(value: number): Buffer {
  const two = Buffer.alloc(2);
  two.writeUInt16BE(value);
  return two;
}

/** CBOR, for short lengths. */
const map = (size: number) => Buffer.of(0xa0 + size);
const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.of(0x58, value.length), value]);
