import { useEffect, useRef, useState } from 'react';
import { type Role, ROLES } from '@passwordbroker/core/domain/policy';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { KeyTrust } from '@passwordbroker/client/vault/groups/people';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { SHARING_TEXTS as TEXTS } from '../../texts/groups/sharing.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { useAccountTrust } from '../../trust/use-trust-state.ts';
import { useVault } from '../../vault/use-vault.ts';
import { linesOf } from '../changes/outcome-box.tsx';
import type { Outcome } from '../changes/over-groups.ts';
import { useMemberActions } from '../changes/use-member-actions.ts';
import type { AskedPerson } from '../keys/use-trust.tsx';

export interface GroupInRole extends NamedGroup {
  readonly role: Role;
}

export interface Sharee {
  readonly person: AskedPerson;
  /** Null until it is known. */
  readonly trust: KeyTrust | null;
  readonly state: 'chosen' | 'sharing' | 'done' | 'failed';
  /** What went wrong, or what was left as it was. */
  readonly lines: readonly string[];
  /** Groups of a run that ended before all was done. */
  readonly left: readonly NamedGroup[] | null;
}

export type Need = 'nothing' | 'look-up' | 'keys' | 'may compare' | 'must compare';

const SERVICE_ROLES: readonly Role[] = ['member'];

/** Roles that a person, or a service account, can have. */
export const rolesFor = ({ kind }: Pick<AskedPerson, 'kind'>): readonly Role[] =>
  kind === 'service' ? SERVICE_ROLES : ROLES;

/** Replaces roles that the person cannot have. */
export function inRolesFor(person: Pick<AskedPerson, 'kind'>, groups: readonly GroupInRole[]): readonly GroupInRole[] {
  const roles = rolesFor(person);
  const [least = 'member'] = roles;
  return groups.map((group) => (roles.includes(group.role) ? group : { ...group, role: least }));
}

/** A changed key must be compared, and under a strict policy each one (docs/spec/crypto.md §13). */
export function needOf({ trust }: Pick<Sharee, 'trust'>, isStrict: boolean): Need {
  if (trust === null) return 'look-up';
  switch (trust.state) {
    case 'none':
      return 'keys';
    case 'changed':
      return 'must compare';
    case 'unknown':
      return isStrict ? 'must compare' : 'may compare';
    case 'trusted': {
      const isForNow = trust.how === 'first-use' || trust.how === 'api';
      return isForNow && isStrict ? 'must compare' : 'nothing';
    }
  }
}

/**
 * Shares groups with several people, one after the other: each of them is on a signed list of their own.
 * @param shownId the group whose members are shown; '' without one
 * @param mustCompare the words are compared first, whatever the site says
 */
export function useSharing(shownId: string, into: readonly GroupInRole[], write: VaultWrite, mustCompare = false) {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const actions = useMemberActions(shownId, write);
  const isStrict = (useAccountTrust()?.isStrict ?? false) || mustCompare;
  const [people, setPeople] = useState<readonly Sharee[]>([]);
  const [isRunning, setRunning] = useState(false);
  /** From here on people may be members already, so role and groups stay. */
  const [hasBegun, setBegun] = useState(false);
  const isStopped = useRef(false);
  const isClosed = useRef(false);
  const isBegun = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => void (isClosed.current = true);
  }, []);

  const change = (userId: string, changed: Partial<Sharee>) =>
    setPeople((all) => all.map((one) => (one.person.userId === userId ? { ...one, ...changed } : one)));
  const remove = (userId: string) => setPeople((all) => all.filter(({ person }) => person.userId !== userId));

  /** False if the prompt of the master password was closed. */
  async function lookUp(person: AskedPerson): Promise<boolean> {
    const look = () => {
      const trust = read.keyTrust(person);
      actions.prepare(into);
      return trust;
    };
    try {
      const trust = await masterPassword.use(look, { label: TRUST_TEXTS.lookAction(person.name) });
      change(person.userId, { trust, state: 'chosen', lines: [] });
    } catch (failure) {
      if (failure instanceof MasterPasswordCancelled) {
        remove(person.userId);
        return false;
      }
      change(person.userId, { state: 'failed', lines: [reasonOf(failure)] });
    }
    return true;
  }

  async function choose(person: AskedPerson): Promise<boolean> {
    setPeople((all) => [...all, { person, trust: null, state: 'chosen', lines: [], left: null }]);
    return lookUp(person);
  }

  const decide = ({ userId, name }: AskedPerson, fingerprint: string, how: 'words' | 'first-use' | 'renewed') =>
    masterPassword.use(() => write.members.confirmKey({ userId, name }, fingerprint, how), {
      label: TRUST_TEXTS.lookAction(name),
    });

  /** Called when the words are the same on both sides. */
  async function compared({ person, trust }: Sharee) {
    if (trust === null || trust.state === 'none') return;
    try {
      await decide(person, trust.current.fingerprint, 'words');
      await lookUp(person);
    } catch (failure) {
      if (failure instanceof MasterPasswordCancelled) return;
      change(person.userId, { lines: [TRUST_TEXTS.keepFailed(reasonOf(failure))] });
    }
  }

  /** One run for each role; after a stop the groups of the other roles are left. */
  async function addIn(person: Parameters<typeof actions.add>[0], groups: readonly GroupInRole[]): Promise<Outcome> {
    const runs: Outcome[] = [];
    for (const role of ROLES) {
      const inRole = groups.filter((group) => group.role === role);
      if (inRole.length === 0) continue;
      const isOver = runs.some(({ left }) => left.length > 0);
      const nothing = { done: [], failed: [], skipped: [], left: inRole };
      runs.push(isOver ? nothing : await actions.add(person, role, inRole, true));
    }
    return {
      done: runs.flatMap(({ done }) => done),
      failed: runs.flatMap(({ failed }) => failed),
      skipped: runs.flatMap(({ skipped }) => skipped),
      left: runs.flatMap(({ left }) => left),
    };
  }

  async function shareWith({ person, trust, left }: Sharee): Promise<Sharee['state']> {
    if (trust === null || trust.state === 'none' || trust.state === 'changed') return 'failed';
    const { fingerprint } = trust.current;
    change(person.userId, { state: 'sharing', lines: [] });
    try {
      if (trust.state === 'unknown') await decide(person, fingerprint, 'first-use');
      else if (trust.renewed) await decide(person, fingerprint, 'renewed');
      const rest = left === null ? into : into.filter(({ id }) => left.some((one) => one.id === id));
      const outcome = await addIn({ ...person, fingerprint }, inRolesFor(person, rest));
      const undone = [...outcome.failed.map(({ group: failed }) => failed), ...outcome.left];
      const isCancelled = outcome.failed.length === 0 && outcome.left.length > 0 && !isStopped.current;
      const isUntouched = outcome.done.length === 0 && outcome.skipped.length === 0;
      isBegun.current ||= !isUntouched;
      const state = undone.length === 0 ? 'done' : isCancelled ? 'chosen' : 'failed';
      change(person.userId, {
        state,
        lines: isCancelled ? [] : linesOf(outcome),
        left: isCancelled && isUntouched ? null : undone,
      });
      return state;
    } catch (failure) {
      const isCancelled = failure instanceof MasterPasswordCancelled;
      const state = isCancelled ? 'chosen' : 'failed';
      change(person.userId, { state, lines: isCancelled ? [] : [reasonOf(failure)] });
      return state;
    }
  }

  async function share() {
    if (isRunning) return;
    isStopped.current = false;
    setRunning(true);
    setBegun(true);
    let ended = people.filter(({ state }) => state === 'done').length;
    for (const one of people) {
      if (isStopped.current || isClosed.current) break;
      if (one.state === 'done') continue;
      // The person closed the prompt of the master password.
      if ((await shareWith(one)) === 'chosen') break;
      ended += 1;
    }
    setRunning(false);
    // After somebody has got a group, the role and the groups stay.
    setBegun(ended > 0 || isBegun.current);
  }

  return {
    people,
    isStrict,
    isRunning,
    hasBegun,
    /** Of the groups of one person. */
    running: actions.running,
    choose,
    remove,
    compared,
    lookUp,
    share,
    stop: () => {
      isStopped.current = true;
      actions.stop();
    },
    whyNot: whyNotOf(people, isStrict),
  };
}

export type Sharing = ReturnType<typeof useSharing>;

/** Why the people cannot be shared with now; null if they can. */
function whyNotOf(people: readonly Sharee[], isStrict: boolean): string | null {
  if (people.length === 0) return TEXTS.nobodyChosen;
  for (const one of people) {
    const { name } = one.person;
    const need = needOf(one, isStrict);
    if (need === 'look-up') return TEXTS.keyUnknown(name);
    if (need === 'keys') return MEMBER_TEXTS.noKeys(name);
    if (need === 'must compare') return TEXTS.compareFirst(name);
  }
  return null;
}
