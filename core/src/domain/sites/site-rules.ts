/** On which web sites a link may be offered: sealed beside the link's value (docs/spec/crypto.md §10). */
import { type Bytes, utf8 } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { openableLink } from '../fields/link.ts';
import { MAX_PADDED_SITE_BYTES, pad, unpad } from '../fields/padding.ts';
import { urlOf } from '../url.ts';

export type SiteMode = SiteRule['mode'];
/** `host`: lower-case ASCII as `URL` writes it, without a trailing dot; `port` is always there. */
export type SiteRule =
  | ({ readonly mode: 'host' | 'domain' } & Origin)
  | ({ readonly mode: 'prefix'; readonly path: string } & Origin)
  | { readonly mode: 'never' };
export type SiteRules = readonly SiteRule[];

interface Origin {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

/** A web address in parts. */
export interface SiteAddress extends Origin {
  /** Begins with a slash; without query and fragment. */
  readonly path: string;
}

const MAX_RULES = 8;
const MAX_PATH = 512;

/** Null unless it is a URL of http or https whose host has no trailing dot. */
export const siteAddressOf = (address: string): SiteAddress | null => partsOf(urlOf(address));

const addressOfLink = (value: string) => partsOf(openableLink(value));

function partsOf(url: URL | null): SiteAddress | null {
  if (url === null) return null;
  const { protocol, hostname: host, port, pathname: path } = url;
  const scheme = protocol.slice(0, -1);
  if ((scheme !== 'http' && scheme !== 'https') || host.endsWith('.')) return null;
  return { scheme, host, port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port), path };
}

/** The modes that a link can have, `host` first; none unless it is a web address. */
export function siteModesOf(value: string): readonly SiteMode[] {
  const address = addressOfLink(value);
  return address === null ? [] : modesOf(address);
}

function modesOf({ scheme, host, path }: SiteAddress): SiteMode[] {
  const modes: SiteMode[] = ['host'];
  if (scheme === 'https' && isDomainName(host)) modes.push('domain');
  if (path !== '/' && path.length <= MAX_PATH) modes.push('prefix');
  return [...modes, 'never'];
}

/** `URL` writes an IPv4 address in any notation as four decimal numbers. */
const isDomainName = (host: string) => host.includes('.') && !/^[\d.]+$/.test(host);

/** None unless the value is a web address. A mode that it cannot have counts as `host`. */
export function siteRulesOf(value: string, mode: SiteMode = 'host'): SiteRules {
  const address = addressOfLink(value);
  if (address === null) return [];
  return [ruleOf(address, modesOf(address).includes(mode) ? mode : 'host')];
}

/** Padded. @throws CryptoError `payload` for rules that are invalid, too many or too long */
export function encodeSiteRules(rules: SiteRules): Bytes {
  const padded = pad(utf8(JSON.stringify({ v: 1, rules: rules.map(inOrder) })));
  if (rules.length > MAX_RULES || padded.length > MAX_PADDED_SITE_BYTES) throw new CryptoError('payload');
  return padded;
}

/** Ignores unknown members. @throws CryptoError `padding`, `payload` */
export function decodeSiteRules(padded: Bytes): SiteRules {
  let raw: { readonly v?: unknown; readonly rules?: unknown } | null;
  const json = unpad(padded);
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json));
  } catch {
    throw new CryptoError('payload');
  }
  if (raw?.v !== 1 || !Array.isArray(raw.rules) || raw.rules.length > MAX_RULES) throw new CryptoError('payload');
  return raw.rules.map(inOrder);
}

/** Checked, with only the members of its mode, in the order of the page. @throws CryptoError `payload` */
function inOrder(raw: unknown): SiteRule {
  const given = (raw ?? {}) as Partial<Record<keyof SiteAddress | 'mode', unknown>>;
  if (given.mode === 'never') return { mode: 'never' };
  const path = given.mode === 'prefix' ? given.path : '/';
  const address = siteAddressOf(`${String(given.scheme)}://${String(given.host)}:${String(given.port)}${String(path)}`);
  const { scheme, host, port } = address ?? {};
  const isSame = scheme === given.scheme && host === given.host && port === given.port && address?.path === path;
  const mode = address === null || !isSame ? undefined : modesOf(address).find((one) => one === given.mode);
  if (address === null || mode === undefined) throw new CryptoError('payload');
  return ruleOf(address, mode);
}

function ruleOf({ path, ...origin }: SiteAddress, mode: SiteMode): SiteRule {
  if (mode === 'never') return { mode };
  return mode === 'prefix' ? { mode, ...origin, path } : { mode, ...origin };
}
