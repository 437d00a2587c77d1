/** States of the enrolment screen. `again`: the factor is there, and its codes were lost by a reload. */

export type EnrolState = 'intro' | 'totp' | 'key' | 'codes' | 'again';

export type EnrolEvent = 'app' | 'key' | 'back' | 'confirmed' | 'made';

const ENROL_STATES: Readonly<Record<EnrolState, Partial<Record<EnrolEvent, EnrolState>>>> = {
  intro: { app: 'totp', key: 'key' },
  totp: { confirmed: 'codes', back: 'intro' },
  key: { confirmed: 'codes', back: 'intro' },
  again: { made: 'codes' },
  codes: {},
};

export function afterEvent(state: EnrolState, event: EnrolEvent): EnrolState {
  return ENROL_STATES[state][event] ?? state;
}

const KEPT = 'passwordbroker.codes-shown';

/** Whether codes were shown in this tab that nobody has confirmed to be kept. Never the codes. */
export const shownCodes = {
  arePending(): boolean {
    try {
      return sessionStorage.getItem(KEPT) !== null;
    } catch {
      return false;
    }
  },
  setPending(arePending: boolean): void {
    try {
      if (arePending) sessionStorage.setItem(KEPT, '1');
      else sessionStorage.removeItem(KEPT);
    } catch {
      // A reload then leads to the vault; new codes can be made on the account page.
    }
  },
};
