/** Lists of networks: which addresses they admit. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The list in its stored form, with `, ` between; null when a member is neither an address nor a range (CIDR). */
export function normaliseNetworks(text: string): string | null {
  const members = membersOf(text);
  return members.every((member) => parse(member) !== null) ? members.join(', ') : null;
}

/** Whether the address is in one of the networks; an empty list admits every address. */
export function admits(networks: string, address: string): boolean {
  if (networks === '') return true;
  const plain = plainAddress(address);
  if (isIPv4(plain)) return blockListOf(networks).check(plain, 'ipv4');
  return isIPv6(plain) && blockListOf(networks).check(plain, 'ipv6');
}

const membersOf = (text: string) => text.split(/[\s,]+/).filter((member) => member !== '');

/** IPv4 written as IPv6 is IPv4; the zone of a link-local address is not part of it. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

function parse(member: string) {
  const [address = '', bits, ...more] = member.split('/');
  if (more.length > 0 || address.includes('%')) return null;
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null;
  if (family === null) return null;
  const most = family === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { address, family, bits: most } as const;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? ({ address, family, bits: Number(bits) } as const) : null;
}

/** The two lists of the site are asked at every request: the few last ones stay parsed. */
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
