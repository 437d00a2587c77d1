/** Filters of the audit log, and their query parameters. */
import { AUDIT_EVENTS, type AuditEvent } from '@passwordbroker/core/contract/site/audit-events';

export interface LogFilters {
  readonly q: string;
  readonly event: AuditEvent | '';
  /** Local days as `YYYY-MM-DD`, inclusive; empty for no bound. */
  readonly from: string;
  readonly to: string;
  readonly targetId: string | null;
}

export const NO_FILTERS: LogFilters = { q: '', event: '', from: '', to: '', targetId: null };

export const asEvent = (text: string): AuditEvent | '' => AUDIT_EVENTS.find((event) => event === text) ?? '';

/** Query parameters; `to` is exclusive. */
export function queryOf({ q, event, from, to, targetId }: LogFilters) {
  return {
    ...(q === '' ? {} : { q }),
    ...(event === '' ? {} : { event_type: event }),
    ...(targetId === null ? {} : { target_id: targetId }),
    ...bound('from', from, 0),
    ...bound('to', to, 1),
  };
}

function bound<Name extends 'from' | 'to'>(name: Name, day: string, later: number): { readonly [K in Name]?: string } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const midnight = new Date(year, month - 1, date + later);
  if (day === '' || Number.isNaN(midnight.getTime())) return {};
  return { [name]: midnight.toISOString() } as { readonly [K in Name]?: string };
}
