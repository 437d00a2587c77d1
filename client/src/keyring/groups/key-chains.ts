/** Verified certificates, each checked once: the same people are members of many groups. */
import {
  type CertificateWire,
  followCertificates,
  type Follow,
  type KeyChain,
} from '@passwordbroker/core/domain/keyring/certificate';
import type { ShownKey } from './member-calls.ts';

export interface KeyChains {
  /** @throws CryptoError those of `followCertificates` */
  of(shown: ShownKey): Promise<KeyChain>;
  readonly follow: Follow;
}

const LIMIT = 5_000;

export function keepKeyChains(): KeyChains {
  const chains = new Map<string, Promise<KeyChain>>();
  const follow: Follow = (certificate, former) => {
    // One that is gone is refused there.
    if (certificate === null) return followCertificates(certificate, former);
    const name = [certificate, ...former].map(bytesOf).join('\n');
    const known = chains.get(name);
    if (known !== undefined) return known;
    if (chains.size >= LIMIT) chains.clear();
    const chain = followCertificates(certificate, former);
    chains.set(name, chain);
    return chain;
  };
  return { follow, of: ({ certificate, former = [] }) => follow(certificate, former) };
}

/** Everything that the check reads. */
const bytesOf = (wire: CertificateWire) =>
  JSON.stringify([
    wire.v,
    wire.user_id,
    wire.keyset_version,
    wire.ed25519_base64,
    wire.rsa_spki_base64,
    wire.prev_fpr,
    wire.fpr,
    wire.sig_base64,
    wire.sig_prev_base64,
  ]);
