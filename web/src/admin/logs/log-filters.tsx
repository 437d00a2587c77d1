import { AUDIT_EVENTS, type AuditEvent } from '@passwordbroker/core/contract/site/audit-events';
import { Search } from 'lucide-react';
import { boundsOf, type Period } from '../../history/period.ts';
import { eventTitle } from '../../texts/admin/audit-events.ts';
import { ADMIN_LOGS_TEXTS as TEXTS } from '../../texts/admin/admin.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import admin from '../admin.module.css';
import styles from './logs.module.css';

const EVENTS = [
  { value: '', title: TEXTS.allEvents },
  ...AUDIT_EVENTS.map((event) => ({ value: event, title: eventTitle(event) })).sort((a, b) =>
    a.title.localeCompare(b.title),
  ),
];

interface Props {
  readonly filters: LogFilters;
  readonly onChange: (filters: LogFilters) => void;
}

export function LogFiltersForm({ filters, onChange }: Props) {
  const set = (change: Partial<LogFilters>) => onChange({ ...filters, ...change });
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
    </search>
  );
}

/** Always there, so that the page does not move. */
export function ClearFilters({ filters, onChange }: Props) {
  const isFiltered = Object.entries(NO_FILTERS).some(([name, none]) => filters[name as keyof LogFilters] !== none);
  return (
    <>
      {filters.person !== null && <span>{TEXTS.showingPerson(filters.person.name)}</span>}
      {filters.targetId !== null && <span className={admin['code']}>{TEXTS.showingTarget(filters.targetId)}</span>}
      <Button size="sm" variant="ghost" isDisabled={!isFiltered} onPress={() => onChange(NO_FILTERS)}>
        {TEXTS.clear}
      </Button>
    </>
  );
}

export interface LogFilters extends Period {
  readonly q: string;
  readonly event: AuditEvent | '';
  readonly targetId: string | null;
  readonly person: Person | null;
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

export const NO_FILTERS: LogFilters = { q: '', event: '', from: '', to: '', targetId: null, person: null };

export const asEvent = (text: string): AuditEvent | '' => AUDIT_EVENTS.find((event) => event === text) ?? '';

/** Query parameters; `to` is exclusive. */
export function queryOf({ q, event, from, to, targetId, person }: LogFilters) {
  return {
    ...(q === '' ? {} : { q }),
    ...(event === '' ? {} : { event_type: event }),
    ...(targetId === null ? {} : { target_id: targetId }),
    ...(person === null ? {} : { user_id: person.id }),
    ...boundsOf({ from, to }),
  };
}
