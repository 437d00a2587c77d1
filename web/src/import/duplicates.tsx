/** What happens to entries that are there already. Values are compared in the worker; only titles come here. */
import { useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import { Select } from '@passwordbroker/ui/inputs/select';
import type { ReadFile } from '@passwordbroker/client/vault/vault';
import { DUPLICATE_TEXTS as TEXTS } from '../texts/entries/duplicates.ts';
import {
  choicesOf,
  chosenForAll,
  countsOf,
  type DuplicateChoice as Choice,
  type ForDuplicates,
  type Found,
} from './where-to.tsx';
import styles from './import-dialog.module.css';

const option = <Value extends Choice>(value: Value, text: string) => ({ value, label: text, title: text });
const [SKIP, ADD] = [option('skip', TEXTS.skip), option('add', TEXTS.addAsNew)];
const CHOICES = [SKIP, ADD, option('revise', TEXTS.revise)] as const;

interface Props {
  readonly read: ReadFile;
  readonly found: Found;
  readonly choice: ForDuplicates;
  readonly onChange: (choice: ForDuplicates) => void;
  /** Values that are being compared. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly onCompare: () => void;
  readonly onStop: () => void;
}

/** For the others the choice for all counts; those elsewhere are added. */
const MOST_LISTED = 100;

export function DuplicateSections(props: Props) {
  const { same, elsewhere } = props.found;
  return (
    <>
      {same.size > 0 && <SamePlace {...props} />}
      {elsewhere.size > 0 && <Elsewhere {...props} />}
    </>
  );
}

function SamePlace(props: Props) {
  const { read, found, choice, onChange } = props;
  const { same, differing } = found;
  const [isListed, setListed] = useState(false);
  const { forAll, each } = choice;
  const shown = isListed ? [...same].slice(0, MOST_LISTED) : [];
  return (
    <section className={styles['where']}>
      <h3>{TEXTS.same(same.size)}</h3>
      <SegmentedRadio
        label={TEXTS.forAll}
        value={forAll}
        onChange={(next) => onChange(chosenForAll(found, choice, next))}
        options={CHOICES}
      />
      {differing === null && choicesOf(found, choice).revise.length > 0 && <p>{TEXTS.reviseHint}</p>}
      <Compare {...props} />
      <details onToggle={(event) => setListed(event.currentTarget.open)}>
        <summary>{TEXTS.exceptions}</summary>
        <ul className={styles['duplicates']}>
          {shown.map((at) => {
            const titles = differing?.get(at);
            const isEqual = titles?.length === 0;
            return (
              <li key={at}>
                <Select
                  size="sm"
                  label={titleOf(read, at)}
                  value={isEqual ? 'skip' : (each.get(at) ?? forAll)}
                  onChange={(next) => onChange({ forAll, each: new Map(each).set(at, next as Choice) })}
                  options={isEqual ? [SKIP] : CHOICES}
                />
                {titles !== undefined && <p>{isEqual ? TEXTS.equal : TEXTS.differs(listOf(titles))}</p>}
              </li>
            );
          })}
          {same.size > shown.length && <li>{TEXTS.andMore(same.size - shown.length)}</li>}
        </ul>
      </details>
    </section>
  );
}

const MOST_TITLES = 8;

const listOf = (titles: readonly string[]) =>
  titles.slice(0, MOST_TITLES).join(', ') +
  (titles.length > MOST_TITLES ? ` ${TEXTS.andMore(titles.length - MOST_TITLES)}` : '');

function Compare({ read, found: { same, differing }, progress, onCompare, onStop }: Props) {
  if (progress !== null)
    return (
      <>
        <ProgressBar
          label={TEXTS.comparing(progress.done, progress.total)}
          value={progress.total === 0 ? 0 : Math.floor((progress.done / progress.total) * 100)}
        />
        <div className={styles['copy']}>
          <Button variant="secondary" size="sm" onPress={onStop}>
            {TEXTS.stop}
          </Button>
        </div>
      </>
    );
  if (differing !== null) return <p role="status">{TEXTS.compared(...countsOf(differing))}</p>;
  const values = [...same].reduce((sum, at) => sum + (read.entries[at]?.fields ?? 0), 0);
  return (
    <div className={styles['copy']}>
      <Button variant="secondary" size="sm" onPress={onCompare}>
        {TEXTS.compare}
      </Button>
      <span>{TEXTS.compareHint(values)}</span>
    </div>
  );
}

function Elsewhere({ read, found: { elsewhere }, choice: { forAll, each }, onChange }: Props) {
  const shown = [...elsewhere].slice(0, MOST_LISTED);
  return (
    <section className={styles['where']}>
      <h3>{TEXTS.elsewhere(elsewhere.size)}</h3>
      <p>{TEXTS.elsewhereHint}</p>
      <ul className={styles['duplicates']}>
        {shown.map(([at, group]) => (
          <li key={at}>
            <Select
              size="sm"
              label={`${titleOf(read, at)}, ${TEXTS.isIn(group)}`}
              value={each.get(at) ?? 'add'}
              onChange={(next) => onChange({ forAll, each: new Map(each).set(at, next as Choice) })}
              options={[SKIP, ADD]}
            />
          </li>
        ))}
        {elsewhere.size > shown.length && (
          <li>
            {TEXTS.andMore(elsewhere.size - shown.length)} ({TEXTS.addAsNew})
          </li>
        )}
      </ul>
    </section>
  );
}

/** 'Servers / Mail' */
function titleOf({ groups, entries }: ReadFile, at: number): string {
  const entry = entries[at];
  const group = groups[entry?.group ?? 0]?.name ?? '';
  return group === '' ? (entry?.title ?? '') : `${group} / ${entry?.title ?? ''}`;
}
