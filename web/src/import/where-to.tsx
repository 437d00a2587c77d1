/** A new tree, or existing groups; and what happens to entries that are there already. */
import { useId, useMemo, useState } from 'react';
import { can } from '@passwordbroker/core/domain/policy';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import { Select } from '@passwordbroker/ui/inputs/select';
import type { ReadFile } from '@passwordbroker/client/vault/vault';
import type { TargetGroup } from '../entries/group-picker/find-targets.ts';
import { GroupPicker } from '../entries/group-picker/group-picker.tsx';
import { groupsOf } from '../search/find-suggestions.ts';
import type { GroupTree } from '../groups/tree/group-tree.ts';
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

type Choice = 'skip' | 'add' | 'revise';
const option = <Value extends Choice>(value: Value, text: string) => ({ value, label: text, title: text });
const CHOICES = [option('skip', TEXTS.skip), option('add', TEXTS.addAsNew), option('revise', TEXTS.revise)] as const;

export interface ForDuplicates {
  readonly forAll: Choice;
  /** By the index of an entry: another choice than for all. */
  readonly each: ReadonlyMap<number, Choice>;
}

/** The duplicates that are left out, and those that revise the entry that they look like. */
export function choicesOf(same: ReadonlySet<number>, { forAll, each }: ForDuplicates) {
  const having = (choice: Choice) => [...same].filter((at) => (each.get(at) ?? forAll) === choice);
  return { without: having('skip'), revise: having('revise') };
}

interface DuplicatesProps {
  readonly read: ReadFile;
  readonly same: ReadonlySet<number>;
  readonly choice: ForDuplicates;
  readonly onChange: (choice: ForDuplicates) => void;
}

/** Of the others the choice for all counts. */
const MOST_LISTED = 100;

export function Duplicates({ read, same, choice, onChange }: DuplicatesProps) {
  const [isListed, setListed] = useState(false);
  if (same.size === 0) return null;
  const { forAll, each } = choice;
  const shown = isListed ? [...same].slice(0, MOST_LISTED) : [];
  return (
    <section className={styles['where']}>
      <h3>{TEXTS.duplicates(same.size)}</h3>
      <SegmentedRadio
        label={TEXTS.forAll}
        value={forAll}
        onChange={(next) => onChange({ forAll: next, each: new Map() })}
        options={CHOICES}
      />
      {choicesOf(same, choice).revise.length > 0 && <p>{TEXTS.reviseHint}</p>}
      <details onToggle={(event) => setListed(event.currentTarget.open)}>
        <summary>{TEXTS.exceptions}</summary>
        <ul className={styles['duplicates']}>
          {shown.map((at) => (
            <li key={at}>
              <Select
                size="sm"
                label={titleOf(read, at)}
                value={each.get(at) ?? forAll}
                onChange={(next) => onChange({ forAll, each: new Map(each).set(at, next as Choice) })}
                options={CHOICES}
              />
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
