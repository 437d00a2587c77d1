import { expect, test } from 'vitest';
import { admits, isLoopbackHost, networkOf } from './networks.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['192.0.2.7:49152', '192.0.2.7'],
  ['[2001:db8:1:2::1]:49152', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['command line', 'command line'],
])('%s is counted as %s (T151)', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('IPv4 written as IPv6 is admitted as IPv4', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207'])
    expect(admits('192.0.2.0/24', address)).toBe(true);
  expect(admits('192.0.2.0/24', '::ffff:c000:307')).toBe(false);
});

test('names and addresses of this machine are loopback, similar ones are not (T154)', () => {
  for (const host of ['localhost', 'vault.localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])
    expect([host, isLoopbackHost(host)]).toEqual([host, true]);
  for (const host of [
    '',
    '0.0.0.0',
    '::',
    '127.evil.example',
    'localhost.evil.example',
    'notlocalhost',
    '[::2]',
    '10.0.0.1',
  ])
    expect([host, isLoopbackHost(host)]).toEqual([host, false]);
});
