/** A new tree, or existing groups; and what happens to entries that are there already. */
import { useId, useMemo } from 'react';
import { can } from '@passwordbroker/core/domain/policy';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import type { ReadFile } from '@passwordbroker/client/vault/vault';
import type { TargetGroup } from '../entries/group-picker/find-targets.ts';
import { GroupPicker } from '../entries/group-picker/group-picker.tsx';
import { groupsOf } from '../search/find-suggestions.ts';
import type { GroupNode, GroupTree } from '../groups/tree/group-tree.ts';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import styles from './import-dialog.module.css';

export interface Where {
  readonly kind: 'tree' | 'into';
  readonly target: TargetGroup | null;
  readonly sameMembers: boolean;
}

interface WhereProps {
  readonly tree: GroupTree | null;
  readonly where: Where;
  readonly error: string | null;
  readonly onChange: (where: Where) => void;
}

const KINDS = [
  { value: 'tree', label: TEXTS.asNewTree },
  { value: 'into', label: TEXTS.intoGroup },
] as const;

export function WhereTo({ tree, where, error, onChange }: WhereProps) {
  const problem = useId();
  const targets = useMemo(
    () => (tree === null ? null : groupsOf(tree).filter(({ role }) => can(role, 'entry.write'))),
    [tree],
  );
  return (
    <section className={styles['where']}>
      <h3>{TEXTS.whereTo}</h3>
      <SegmentedRadio
        label={TEXTS.whereTo}
        value={where.kind}
        onChange={(kind) => onChange({ ...where, kind })}
        options={KINDS}
        isDisabled={targets?.length === 0}
      />
      {where.kind === 'into' && (
        <>
          <GroupPicker
            targets={targets}
            chosen={where.target}
            onChoose={(target) => onChange({ ...where, target })}
            isLocked={false}
            roles={GROUP_TEXTS.roles}
          />
          {error !== null && (
            <span id={problem} role="alert" className={styles['wrong']}>
              {error}
            </span>
          )}
          <Checkbox
            isSelected={where.sameMembers}
            onChange={(sameMembers) => onChange({ ...where, sameMembers })}
            hint={TEXTS.sameMembersHint}
          >
            {TEXTS.sameMembers}
          </Checkbox>
        </>
      )}
    </section>
  );
}

export interface ForDuplicates {
  readonly forAll: 'skip' | 'add';
  /** Indices of entries with the other choice. */
  readonly others: ReadonlySet<number>;
}

interface DuplicatesProps {
  readonly read: ReadFile;
  readonly same: ReadonlySet<number>;
  readonly choice: ForDuplicates;
  readonly onChange: (choice: ForDuplicates) => void;
}

/** Of the others the choice for all counts. */
const MOST_LISTED = 100;
const CHOICES = [
  { value: 'skip', label: TEXTS.skip },
  { value: 'add', label: TEXTS.addAsNew },
] as const;

export function Duplicates({ read, same, choice: { forAll, others }, onChange }: DuplicatesProps) {
  if (same.size === 0) return null;
  const shown = [...same].slice(0, MOST_LISTED);
  const set = (at: number, isOther: boolean) => {
    const next = new Set(others);
    if (isOther) next.add(at);
    else next.delete(at);
    onChange({ forAll, others: next });
  };
  return (
    <section className={styles['where']}>
      <h3>{TEXTS.duplicates(same.size)}</h3>
      <SegmentedRadio
        label={TEXTS.forAll}
        value={forAll}
        onChange={(next) => onChange({ forAll: next, others: new Set() })}
        options={CHOICES}
      />
      <details>
        <summary>{TEXTS.exceptions}</summary>
        <ul className={styles['duplicates']}>
          {shown.map((at) => (
            <li key={at}>
              <Checkbox isSelected={others.has(at)} onChange={(isOther) => set(at, isOther)}>
                {forAll === 'skip' ? TEXTS.butAdd(titleOf(read, at)) : TEXTS.butSkip(titleOf(read, at))}
              </Checkbox>
            </li>
          ))}
          {same.size > shown.length && <li>{TEXTS.andMore(same.size - shown.length)}</li>}
        </ul>
      </details>
    </section>
  );
}

/** 'Servers / Mail' */
function titleOf({ groups, entries }: ReadFile, at: number): string {
  const entry = entries[at];
  const group = groups[entry?.group ?? 0]?.name ?? '';
  return group === '' ? (entry?.title ?? '') : `${group} / ${entry?.title ?? ''}`;
}

/**
 * For each group of the file the existing one of the same path below `target`, or null for a new one. Groups in which the
 * person may not add entries are passed over.
 */
export function groupsInto(groups: ReadFile['groups'], target: GroupNode): readonly (string | null)[] {
  const found: (GroupNode | null)[] = [];
  const used = new Set<string>();
  for (const { name, parent } of groups) {
    const above = parent === null ? null : (found[parent] ?? null);
    const node =
      parent === null
        ? target
        : (above?.children.find(
            ({ id, title, role }) => title.trim() === name.trim() && can(role, 'entry.write') && !used.has(id),
          ) ?? null);
    if (node !== null) used.add(node.id);
    found.push(node);
  }
  return found.map((node) => node?.id ?? null);
}

/** The duplicates that are left out. @param others those with the other choice than all */
export const leftOut = (same: ReadonlySet<number>, forAll: 'skip' | 'add', others: ReadonlySet<number>): number[] =>
  [...same].filter((at) => (forAll === 'skip') !== others.has(at));
