/** A new tree, or existing groups. */
import { useId, useMemo } from 'react';
import { can } from '@passwordbroker/core/domain/policy';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import type { Duplicates } from '@passwordbroker/client/vault/vault';
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

export type DuplicateChoice = 'skip' | 'add' | 'revise';

export interface ForDuplicates {
  readonly forAll: DuplicateChoice;
  /** By the index of an entry: another choice than for all. */
  readonly each: ReadonlyMap<number, DuplicateChoice>;
}

/**
 * The duplicates that are left out, and those that revise the entry that they look like. Equal ones are always left
 * out; those elsewhere are added unless the person skips them.
 */
export function choicesOf({ same, elsewhere, differing }: Found, { forAll, each }: ForDuplicates) {
  const isEqual = (at: number) => differing?.get(at)?.length === 0;
  const having = (choice: DuplicateChoice) =>
    [...same].filter((at) => (isEqual(at) ? 'skip' : (each.get(at) ?? forAll)) === choice);
  const skipped = [...elsewhere.keys()].filter((at) => each.get(at) === 'skip');
  return { without: [...having('skip'), ...skipped], revise: having('revise') };
}

/** Another choice for all of the same place: their own ones end, those for entries elsewhere stay. */
export function chosenForAll({ elsewhere }: Found, { each }: ForDuplicates, forAll: DuplicateChoice): ForDuplicates {
  return { forAll, each: new Map([...each].filter(([at]) => elsewhere.has(at))) };
}

/** Of the compared entries, those that are equal, and those that differ. */
export function countsOf(differing: NonNullable<Found['differing']>): readonly [equal: number, differing: number] {
  const equal = [...differing.values()].filter((titles) => titles.length === 0).length;
  return [equal, differing.size - equal];
}

/** Duplicates, with the titles of fields that differ if values were compared. */
export interface Found extends Duplicates {
  readonly differing: ReadonlyMap<number, readonly string[]> | null;
}
