/** Four people, and before each test a new group of the first one with a secret, made on a new device. */
import { beforeEach } from 'vitest';
import type { SignedIn, TestApp } from '../../../server/src/testing/test-app.ts';
import type { FieldPath } from '../vault/vault.ts';
import { type Mate, groupWithSecret, mateOf } from './team.node.ts';
import { withPeople } from './with-vaults.node.ts';

const FOUR = ['ada', 'bob', 'eve', 'mallory'] as const;
type Four = readonly [SignedIn, SignedIn, SignedIn, SignedIn];

interface OwnGroup {
  readonly her: Mate;
  readonly path: FieldPath;
  readonly group: string;
}

/** Call once per file, before its own hooks. */
export function withOwnGroup(takeFour: (people: Four, app: TestApp) => void, take: (own: OwnGroup) => void): void {
  let maker: SignedIn | undefined;
  withPeople(FOUR, (app, people) => {
    [maker] = people;
    takeFour(people, app);
  });
  beforeEach(async () => {
    if (maker === undefined) throw new Error('nobody to make it');
    const her = await mateOf(maker);
    const path = await groupWithSecret(her, 'q8-Rf3');
    take({ her, path, group: path.entryGroupId });
  });
}
