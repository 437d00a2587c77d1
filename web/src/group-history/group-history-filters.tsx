import { HISTORY_EVENTS, type HistoryEvent, type UserBrief } from '@passwordbroker/core/contract/entities';
import type { HistoryFilter } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { boundsOf, type Period } from '../history/period.ts';
import { formatDay } from '../lib/format.ts';
import { GROUP_HISTORY_TEXTS as TEXTS } from '../texts/groups/groups.ts';
import styles from './group-history.module.css';

export interface HistoryFilters extends Period {
  readonly person: UserBrief | null;
  readonly event: HistoryEvent | '';
  readonly withChildren: boolean;
}

export const NO_FILTERS: HistoryFilters = { person: null, event: '', from: '', to: '', withChildren: false };

export const isFiltered = ({ person, event, from, to, withChildren }: HistoryFilters): boolean =>
  person !== null || event !== '' || from !== '' || to !== '' || withChildren;

export function requestOf({ person, event, withChildren, ...period }: HistoryFilters): HistoryFilter {
  return {
    ...(person === null ? {} : { user_id: person.user_id }),
    ...(event === '' ? {} : { event_type: event }),
    ...(withChildren ? { with_children: true } : {}),
    ...boundsOf(period),
  };
}

interface Props {
  readonly filters: HistoryFilters;
  readonly onChange: (filters: HistoryFilters) => void;
  /** Members, and others who appear in the rows. */
  readonly people: readonly UserBrief[];
  readonly hasChildren: boolean;
}

const EVENTS = [
  { value: '', title: TEXTS.allEvents },
  ...HISTORY_EVENTS.map((event) => ({ value: event, title: TEXTS.events[event] })),
];

export function GroupHistoryFilters({ filters, onChange, people, hasChildren }: Props) {
  const set = (change: Partial<HistoryFilters>) => onChange({ ...filters, ...change });
  const lastWeek = () => {
    const day = new Date();
    day.setDate(day.getDate() - 7);
    return formatDay(day, '-');
  };
  return (
    <search aria-label={TEXTS.filters} className={styles['search']}>
      <div className={styles['filters']}>
        <Select
          label={TEXTS.person}
          value={filters.person?.user_id ?? ''}
          onChange={(id) => set({ person: people.find(({ user_id }) => user_id === id) ?? null })}
          options={[
            { value: '', title: TEXTS.allPeople },
            ...people.map(({ user_id, name }) => ({ value: user_id, title: name })),
          ]}
        />
        <Select
          label={TEXTS.event}
          value={filters.event}
          onChange={(event) => set({ event: HISTORY_EVENTS.find((one) => one === event) ?? '' })}
          options={EVENTS}
        />
        <TextField label={TEXTS.from} type="date" value={filters.from} onChange={(from) => set({ from })} />
        <TextField label={TEXTS.to} type="date" value={filters.to} onChange={(to) => set({ to })} />
      </div>
      <div className={styles['bar']}>
        <Button size="sm" onPress={() => set({ person: null, event: 'decrypted', from: lastWeek(), to: '' })}>
          {TEXTS.shownLastWeek}
        </Button>
        {hasChildren && (
          <Checkbox isSelected={filters.withChildren} onChange={(withChildren) => set({ withChildren })}>
            {TEXTS.withChildren}
          </Checkbox>
        )}
        <Button size="sm" variant="ghost" isDisabled={!isFiltered(filters)} onPress={() => onChange(NO_FILTERS)}>
          {TEXTS.clear}
        </Button>
      </div>
    </search>
  );
}
