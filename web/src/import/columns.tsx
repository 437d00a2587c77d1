/** Asks for the meaning of each column (docs/spec/decisions.md H7). */
import { useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import {
  type ColumnChoice,
  MEANINGS,
  PATH_SEPARATORS,
  type TableLook,
} from '@passwordbroker/core/domain/exchange/csv/meanings';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Select } from '@passwordbroker/ui/inputs/select';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import styles from './columns.module.css';

interface Props {
  readonly table: TableLook;
  readonly choice: ColumnChoice;
  readonly onChange: (choice: ColumnChoice) => void;
}

const SAMPLES = 5;
const OPTIONS = MEANINGS.map((value) => ({ value, title: TEXTS.meanings[value] }));
const NO_SEPARATOR = 'none';

/** One row for each column, so that any number of them fits a phone. */
export function Columns({ table, choice, onChange }: Props) {
  const [isShown, setShown] = useState(false);
  const { meanings, separator, hasNames } = choice;
  const [first = []] = table.rows;
  const samples = table.rows.slice(hasNames ? 1 : 0).slice(0, SAMPLES);
  const mean = (at: number, value: string) => {
    const meaning = MEANINGS.find((one) => one === value);
    if (meaning !== undefined) onChange({ ...choice, meanings: meanings.with(at, meaning) });
  };
  return (
    <section className={styles['columns']} aria-label={TEXTS.columns}>
      <div className={styles['head']}>
        <h3>{TEXTS.columns}</h3>
        <Button
          variant="secondary"
          size="sm"
          icon={isShown ? <EyeOff size={14} /> : <Eye size={14} />}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? TEXTS.hideCells : TEXTS.showCells}
        </Button>
      </div>
      <Checkbox isSelected={hasNames} onChange={(hasFirst) => onChange({ ...choice, hasNames: hasFirst })}>
        {TEXTS.hasNames}
      </Checkbox>
      <ul className={styles['list']}>
        {meanings.map((meaning, at) => {
          const name = (hasNames ? (first[at] ?? '').trim() : '') || TEXTS.column(at + 1);
          const cells = samples.map((row) => row[at] ?? '').filter((cell) => cell !== '');
          return (
            // Columns have no other identity than their place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at}>
              <div className={styles['what']}>
                <b>{name}</b>
                <span>{cells.length === 0 ? TEXTS.noCells : isShown ? cells.join(' · ') : TEXTS.maskedCells}</span>
              </div>
              <Select
                label={TEXTS.meaningOf(name)}
                isLabelHidden
                value={meaning}
                onChange={(value) => mean(at, value)}
                options={OPTIONS}
              />
            </li>
          );
        })}
      </ul>
      {meanings.includes('group') && (
        <Select
          label={TEXTS.separator}
          value={separator ?? NO_SEPARATOR}
          onChange={(value) => onChange({ ...choice, separator: PATH_SEPARATORS.find((one) => one === value) ?? null })}
          options={[
            ...PATH_SEPARATORS.map((one) => ({ value: one, title: one })),
            { value: NO_SEPARATOR, title: TEXTS.noSeparator },
          ]}
        />
      )}
    </section>
  );
}
