import { keptChoice } from '@passwordbroker/client/kept-choice';

export const REMASK_SECONDS = [15, 30, 60, 120, 300] as const;

/** Seconds after which a shown value is masked again, as chosen in this browser. */
export const remaskAfter = keptChoice<number>(
  'passwordbroker.remask-seconds',
  30,
  (text) => {
    const seconds = Number(text);
    return REMASK_SECONDS.some((choice) => choice === seconds) ? seconds : null;
  },
  () => localStorage,
);
