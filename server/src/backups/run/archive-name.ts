/** `pb_backup_YYYY_MM_DD__HH_mm_ss.tar.gz[.age]` in local time (docs/spec/decisions.md H3, H4). */
import { clockIn } from '../zone.ts';

export function archiveName(at: number, timeZone: string, isSealed: boolean): string {
  const { year, month, day, hour, minute, second } = clockIn(timeZone, at);
  return `pb_backup_${year}_${month}_${day}__${hour}_${minute}_${second}.tar.gz${isSealed ? '.age' : ''}`;
}

export const renamed = (name: string, isSealed: boolean): string =>
  `${name.replace(/\.age$/, '')}${isSealed ? '.age' : ''}`;
