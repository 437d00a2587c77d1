/** Days as `YYYY-MM-DD`, inclusive; empty for no bound. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Query parameters of a period in the zone of this device; `to` is exclusive. */
export function boundsOf({ from, to }: Period): { readonly from?: string; readonly to?: string } {
  return { ...bound('from', from, 0), ...bound('to', to, 1) };
}

function bound(name: keyof Period, day: string, later: number): { readonly [K in keyof Period]?: string } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const midnight = new Date(year, month - 1, date + later);
  if (day === '' || Number.isNaN(midnight.getTime())) return {};
  return { [name]: midnight.toISOString() };
}
