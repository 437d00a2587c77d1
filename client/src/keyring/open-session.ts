/** State of one unlock. */
import { withSecretCache } from '@passwordbroker/core/domain/groups/secret-cache';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { LinkedRoster } from '@passwordbroker/core/domain/rosters/roster-chain';
import type { HeldGroup } from './groups/held-group.ts';
import { openTrustBook, type TrustBook, type TrustSources } from './trust/trust-book.ts';
import {
  type CertificateWire,
  followCertificates,
  type Follow,
  type KeyChain,
} from '@passwordbroker/core/domain/keyring/certificate';
import type { ShownKey } from './groups/member-calls.ts';

export interface OpenSession {
  readonly keyring: Keyring;
  readonly book: TrustBook;
  readonly chains: KeyChains;
  readonly groups: Map<string, HeldGroup>;
  /** Lists signed here, by hash, until the server has stored them. */
  readonly drafts: Map<string, LinkedRoster>;
  /**
   * By group: members accepted before this unlock or signed here. Only they get keys in operations that the
   * person did not start.
   */
  readonly known: Map<string, ReadonlySet<string>>;
  /** By group: accepted lists that the next list supersedes. */
  readonly superseded: Map<string, readonly string[]>;
}

export async function openSession(unlocked: Keyring, sources: TrustSources): Promise<OpenSession> {
  const keyring = await withSecretCache(unlocked);
  const book = await openTrustBook(keyring, sources);
  return {
    keyring,
    book,
    chains: keepKeyChains(),
    groups: new Map(),
    drafts: new Map(),
    known: new Map(),
    superseded: new Map(),
  };
}

/** Caches verified chains: the same people are members of many groups. */
interface KeyChains {
  of(shown: ShownKey): Promise<KeyChain>;
  readonly follow: Follow;
}

const LIMIT = 5_000;

function keepKeyChains(): KeyChains {
  const chains = new Map<string, Promise<KeyChain>>();
  const follow: Follow = (certificate, former) => {
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
