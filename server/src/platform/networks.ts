import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The CIDR list joined by `, `; null if a member is invalid. */
export function normaliseNetworks(text: string): string | null {
  const members = membersOf(text);
  return members.every((member) => parse(member) !== null) ? members.join(', ') : null;
}

/** Whether the address is in one of the networks; an empty list admits all. */
export function admits(networks: string, address: string): boolean {
  if (networks === '') return true;
  const plain = plainAddress(address);
  if (isIPv4(plain)) return blockListOf(networks).check(plain, 'ipv4');
  return isIPv6(plain) && blockListOf(networks).check(plain, 'ipv6');
}

const membersOf = (text: string) => text.split(/[\s,]+/).filter((member) => member !== '');

/** As some proxies write into `X-Forwarded-For`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d[\d.]*)):\d{1,5}$/;

/** Turns IPv4-mapped IPv6 into IPv4; removes a port and a zone. */
function plainAddress(address: string): string {
  const [, bracketed, before] = WITH_PORT.exec(address) ?? [];
  const withoutZone = (bracketed ?? before ?? address).replace(/%.*$/, '');
  if (!isIPv6(withoutZone)) return withoutZone;
  const plain = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined) return plain;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

const NAMED_RANGES: Readonly<Record<string, string>> = {
  loopback: '127.0.0.0/8 ::1',
  linklocal: '169.254.0.0/16 fe80::/10',
  uniquelocal: '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7',
};

/** Whether a connection comes from one of the proxies of `TRUST_PROXY`. */
export const isTrustedProxy = (proxies: readonly string[], address: string): boolean =>
  proxies.length > 0 && admits(proxies.map((proxy) => NAMED_RANGES[proxy] ?? proxy).join(' '), address);

/** Whether a host of a URL or `HOST` is always this machine. */
export const isLoopbackHost = (host: string): boolean =>
  /^(.+\.)?localhost$|^(::1|\[::1\])$/.test(host) || (isIPv4(host) && host.startsWith('127.'));

const IPV6_GROUPS = 8;

/** Key for rate limits: the IPv4 address, or the /64 of an IPv6 address; other text unchanged. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [left = [], right = []] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: IPV6_GROUPS - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}

function parse(member: string) {
  const [address = '', bits, ...more] = member.split('/');
  if (more.length > 0 || address.includes('%')) return null;
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null;
  if (family === null) return null;
  const most = family === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { address, family, bits: most } as const;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? ({ address, family, bits: Number(bits) } as const) : null;
}

const KEPT = 8;
const parsed = new Map<string, BlockList>();

function blockListOf(networks: string): BlockList {
  const known = parsed.get(networks);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const member of membersOf(networks)) {
    const network = parse(member);
    if (network !== null) list.addSubnet(network.address, network.bits, network.family);
  }
  if (parsed.size >= KEPT) parsed.clear();
  parsed.set(networks, list);
  return list;
}
