/** docs/spec/product.md §5: errors block, warnings do not. */
import { isEasyToGuess, masterPasswordProblem } from '@passwordbroker/core/domain/sign-up-rules';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';

const TEXTS = MASTER_PASSWORD_TEXTS.change;

export interface ChangeForm {
  readonly old: string;
  readonly next: string;
  readonly confirmation: string;
}

export interface ChangeFinding {
  readonly field: keyof ChangeForm;
  readonly text: string;
}

export function changeErrors({ old, ...chosen }: ChangeForm): ChangeFinding[] {
  return [
    ...(old === '' ? [{ field: 'old' as const, text: MASTER_PASSWORD_TEXTS.missing }] : []),
    ...choiceErrors(chosen),
  ];
}

/** Without the old password. */
export function choiceErrors({ next, confirmation }: Omit<ChangeForm, 'old'>): ChangeFinding[] {
  const problem = masterPasswordProblem(next);
  return [
    ...(problem === null ? [] : [{ field: 'next' as const, text: TEXTS.unusable[problem] }]),
    ...(next === confirmation ? [] : [{ field: 'confirmation' as const, text: TEXTS.mismatch }]),
  ];
}

/** @param strength 0 (guessed at once) to 4; null: unknown */
export function changeWarnings({ old, next }: ChangeForm, strength: number | null): ChangeFinding[] {
  return [...(old === next ? [{ field: 'next' as const, text: TEXTS.unchanged }] : []), ...choiceWarnings(strength)];
}

export function choiceWarnings(strength: number | null): ChangeFinding[] {
  return isEasyToGuess(strength) ? [{ field: 'next', text: TEXTS.weak }] : [];
}
