/** A live TOTP code: 3 + 3 digits, a ring that drains, the seconds that carry the meaning. */
import { useEffect, useState } from 'react';
import type { TotpAlgorithm } from '@passwordbroker/core/domain/field-kinds';
import { totpCode } from '@passwordbroker/core/domain/totp';
import { FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import { Ring } from '../ui/ring.tsx';
import styles from './field-table.module.css';
import { LAST_SECONDS, totpMoment } from './totp-clock.ts';

interface Props {
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  /** Seconds. */
  readonly period: number;
}

export function TotpCode({ secret, algorithm, period }: Props) {
  const now = useTicking(period);
  const { codeAt, secondsLeft, isRefreshing } = totpMoment(now, period);
  const { code } = totpCode({ secret, algorithm, period }, codeAt);
  const isLow = secondsLeft <= LAST_SECONDS;
  return (
    <span className={styles['totp']} role="group" aria-label={TEXTS.spelled(code)}>
      <span className={styles['code']} data-secret data-dim={isRefreshing || undefined} aria-hidden="true">
        {code.slice(0, 3)}
        <i />
        {code.slice(3)}
      </span>
      <Ring fraction={secondsLeft / period} isLow={isLow} />
      <span className={styles['seconds']} data-low={isLow || undefined}>
        {TEXTS.secondsLeft(secondsLeft)}
      </span>
    </span>
  );
}

/** The present moment, anew whenever something of the display changes. */
function useTicking(period: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const at = Date.now();
    const timer = setTimeout(() => setNow(Date.now()), totpMoment(at, period).next);
    return () => clearTimeout(timer);
  }, [now, period]);
  return now;
}
