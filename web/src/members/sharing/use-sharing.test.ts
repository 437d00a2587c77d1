import { expect, test } from 'vitest';
import type { KeyTrust } from '@passwordbroker/client/vault/groups/people';
import { inRolesFor, needOf, rolesFor } from './use-sharing.ts';

const current = { fingerprint: 'aa', words: ['one'] };
const trusted = (how: 'words' | 'first-use' | 'api' | 'invite'): KeyTrust =>
  ({ state: 'trusted', how, current, renewed: false, formerName: null }) as KeyTrust;
const unknown = { state: 'unknown', current } as KeyTrust;
const changed = { state: 'changed', current, pinned: current } as KeyTrust;

test.each<[string, KeyTrust | null, string, string]>([
  ['not looked up', null, 'look-up', 'look-up'],
  ['no keys', { state: 'none' }, 'keys', 'keys'],
  ['never compared', unknown, 'may compare', 'must compare'],
  ['changed', changed, 'must compare', 'must compare'],
  ['trusted for now', trusted('first-use'), 'nothing', 'must compare'],
  ['trusted for now by a script', trusted('api'), 'nothing', 'must compare'],
  ['compared', trusted('words'), 'nothing', 'nothing'],
  ['invited', trusted('invite'), 'nothing', 'nothing'],
])('a key that is %s', (_, trust, usually, underStrict) => {
  expect([needOf({ trust }, false), needOf({ trust }, true)]).toEqual([usually, underStrict]);
});

test('a service account is a member, whatever role the others get', () => {
  const groups = [
    { id: 'a', title: 'A', role: 'admin' as const },
    { id: 'b', title: 'B', role: 'member' as const },
  ];
  expect(rolesFor({ kind: 'service' })).toEqual(['member']);
  expect(inRolesFor({ kind: 'service' }, groups).map(({ role }) => role)).toEqual(['member', 'member']);
  expect(inRolesFor({}, groups)).toEqual(groups);
});
