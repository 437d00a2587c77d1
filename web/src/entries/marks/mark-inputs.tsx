import { translated } from '@passwordbroker/core/texts';
import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import {
  DAY_TEXT,
  distinctTags,
  DUE_KINDS,
  ENTRY_ICONS,
  readDay,
  TAG_TEXTS,
  tagProblem,
} from '@passwordbroker/core/domain/entry-marks';
import type { EntryMarks, VaultWrite } from '@passwordbroker/client/vault/vault';
import { ChipField } from '@passwordbroker/ui/inputs/chip-field';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { MARK_TEXTS as TEXTS } from '../../texts/entries/marks.ts';
import { EntryIcon } from './entry-icon.tsx';
import styles from './marks.module.css';

interface Props {
  /** Of the entry, for the icon that shows its first letter. */
  readonly title: string;
  readonly marks: EntryMarks;
  readonly onChange: (part: Partial<EntryMarks>) => void;
  readonly write: Pick<VaultWrite, 'tagsInUse'>;
  readonly dueLabel?: string;
}

export const NO_MARKS: EntryMarks = { tags: [], icon: '', due_at: '', due_kind: 'review', rotate_days: 0 };

export const marksOf = ({ tags, icon, due_at, due_kind, rotate_days }: Entry): EntryMarks => ({
  tags,
  icon: ENTRY_ICONS.find((one) => one === icon) ?? '',
  due_at: due_at ?? '',
  due_kind: due_kind ?? 'review',
  rotate_days: rotate_days ?? 0,
});

/** Whether everything can be stored; the inputs show what cannot. */
export const areStorable = ({ tags, due_at, rotate_days }: EntryMarks): boolean =>
  tagsProblem(tags) === null && dayProblem(due_at) === null && daysProblem(rotate_days) === null;

const dayProblem = (day: string) => (day === '' || readDay(day) !== null ? null : translated(DAY_TEXT));

const daysProblem = (days: number) =>
  Number.isInteger(days) && days >= 0 && days <= LIMITS.rotateDays ? null : TEXTS.rotateProblem;

function tagsProblem(tags: readonly string[]): string | null {
  const wrong = tags.map(tagProblem).find((problem) => problem !== null);
  const problem = wrong ?? (distinctTags(tags).length > LIMITS.entryTags ? TAG_TEXTS.many : null);
  return problem === null ? null : translated(problem);
}

/** Tags, due date and icon in the form of an entry. Shows at once what cannot be stored. */
export function MarkInputs({ title, marks, onChange, write, dueLabel = TEXTS.due }: Props) {
  const inUse = useQuery(tagsQuery(write));
  return (
    <>
      <ChipField
        label={TEXTS.tags}
        hint={TEXTS.tagsHint}
        values={marks.tags}
        onChange={(tags) => onChange({ tags })}
        suggestions={inUse.data ?? []}
        removeLabel={TEXTS.removeTag}
        error={tagsProblem(marks.tags)}
      />
      <DueInputs label={dueLabel} marks={marks} onChange={onChange} />
      <IconChoice title={title} icon={marks.icon} onChange={(icon) => onChange({ icon })} />
    </>
  );
}

/** Outside of the form: the cache keeps the function, and with it the scope that made it. */
const tagsQuery = (write: Props['write']) =>
  queryOptions({
    queryKey: ['online', 'tags'],
    queryFn: ({ signal }) => write.tagsInUse(signal),
    staleTime: 60_000,
  });

function DueInputs({ label, marks, onChange }: Pick<Props, 'marks' | 'onChange'> & { readonly label: string }) {
  return (
    <div className={styles['due']}>
      <TextField
        type="date"
        label={label}
        isOptional
        value={marks.due_at}
        onChange={(due_at) => onChange({ due_at })}
        error={dayProblem(marks.due_at)}
      />
      {marks.due_at !== '' && (
        <Select
          label={TEXTS.dueKind}
          value={marks.due_kind}
          onChange={(due_kind) => onChange({ due_kind: DUE_KINDS.find((one) => one === due_kind) ?? 'review' })}
          options={DUE_KINDS.map((value) => ({ value, title: TEXTS.dueKinds[value] }))}
        />
      )}
      {marks.due_at !== '' && marks.due_kind === 'rotate' && (
        <TextField
          type="number"
          label={TEXTS.rotateDays}
          hint={TEXTS.rotateHint}
          value={marks.rotate_days === 0 ? '' : String(marks.rotate_days)}
          onChange={(days) => onChange({ rotate_days: Number(days) })}
          min={0}
          max={LIMITS.rotateDays}
          error={daysProblem(marks.rotate_days)}
        />
      )}
    </div>
  );
}

interface IconChoiceProps {
  readonly title: string;
  readonly icon: EntryMarks['icon'];
  readonly onChange: (icon: EntryMarks['icon']) => void;
}

/** The icons behind a summary that shows the chosen one. */
export function IconChoice({ title, icon, onChange }: IconChoiceProps) {
  const name = useId();
  return (
    <details>
      <summary className={styles['summary']}>
        <ChevronRight className={styles['chevron']} size={12} aria-hidden="true" />
        {TEXTS.icon}
        <EntryIcon entry={{ title, icon }} />
        <span className="visually-hidden">{icon === '' ? TEXTS.noIcon : TEXTS.icons[icon]}</span>
      </summary>
      <div className={styles['icons']} role="radiogroup" aria-label={TEXTS.icon}>
        {(['', ...ENTRY_ICONS] as const).map((one) => (
          <label key={one} className={styles['option']} title={one === '' ? TEXTS.noIcon : TEXTS.icons[one]}>
            <input
              type="radio"
              name={name}
              checked={one === icon}
              onChange={() => onChange(one)}
              aria-label={one === '' ? TEXTS.noIcon : TEXTS.icons[one]}
            />
            <EntryIcon entry={{ title, icon: one }} />
          </label>
        ))}
      </div>
    </details>
  );
}
