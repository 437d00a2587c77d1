import { AUDIT_EVENTS } from '@passwordbroker/core/contract/site/audit-events';
import { Search } from 'lucide-react';
import { ADMIN_LOGS_TEXTS as TEXTS } from '../../texts/admin/admin.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import admin from '../admin.module.css';
import { type LogFilters, NO_FILTERS, asEvent } from './log-filters.ts';
import styles from './logs.module.css';

const EVENTS = [
  { value: '', title: TEXTS.allEvents },
  ...AUDIT_EVENTS.map((event) => ({ value: event, title: event })).sort((a, b) => a.title.localeCompare(b.title)),
];

interface Props {
  readonly filters: LogFilters;
  readonly onChange: (filters: LogFilters) => void;
}

export function LogFiltersForm({ filters, onChange }: Props) {
  const set = (change: Partial<LogFilters>) => onChange({ ...filters, ...change });
  const isFiltered = Object.entries(NO_FILTERS).some(([name, none]) => filters[name as keyof LogFilters] !== none);
  return (
    <search aria-label={TEXTS.filters}>
      <div className={styles['filters']}>
        <TextField
          label={TEXTS.search}
          type="search"
          start={<Search size={16} />}
          value={filters.q}
          onChange={(q) => set({ q })}
          autoComplete="off"
        />
        <Select
          label={TEXTS.event}
          value={filters.event}
          onChange={(event) => set({ event: asEvent(event) })}
          options={EVENTS}
        />
        <TextField label={TEXTS.from} type="date" value={filters.from} onChange={(from) => set({ from })} />
        <TextField label={TEXTS.to} type="date" value={filters.to} onChange={(to) => set({ to })} />
      </div>
      {isFiltered && (
        <div className={styles['bar']}>
          <span className={admin['code']}>{filters.targetId !== null && TEXTS.showingTarget(filters.targetId)}</span>
          <Button size="sm" variant="ghost" onPress={() => onChange(NO_FILTERS)}>
            {TEXTS.clear}
          </Button>
        </div>
      )}
    </search>
  );
}
