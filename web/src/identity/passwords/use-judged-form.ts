import { useRef, useState } from 'react';
import { type AskPolicy, judgePasswords } from './judge-passwords.ts';
import type { StrengthQuestion } from './strength-worker.ts';

interface Refusal<Form, Finding> {
  readonly findings?: readonly Finding[];
  /** Lines about no single field. */
  readonly lines?: readonly string[];
  readonly cleared?: Partial<Form>;
}

interface Judged<Form, Finding> {
  readonly ask: AskPolicy;
  readonly start: Form | (() => Form);
  onSubmit?(): void;
  errorsOf(form: Form): readonly Finding[];
  questionOf(form: Form): StrengthQuestion;
  /** @param strengths in the order of the question; null where unknown */
  warningsOf(form: Form, strengths: readonly (number | null)[]): readonly Finding[];
  send(form: Form): Promise<void>;
  refusalOf(reason: unknown): Refusal<Form, Finding>;
}

/**
 * Errors block; warnings may be continued with `continueAnyway` (docs/spec/product.md §4). A second submit
 * while one
 * runs is ignored.
 */
export function useJudgedForm<Form extends object, Finding>(rules: Judged<Form, Finding>) {
  const machine = useRef<SignUpState>('await');
  const [state, setState] = useState<SignUpState>('await');
  const [form, setForm] = useState(rules.start);
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [refusals, setRefusals] = useState<readonly string[]>([]);

  const pass = (event: SignUpEvent) => {
    machine.current = afterEvent(machine.current, event);
    setState(machine.current);
  };
  const change = (changed: Partial<Form>) => setForm((now) => ({ ...now, ...changed }));
  const found = (event: 'errors' | 'warnings', what: readonly Finding[]) => {
    setFindings(what);
    pass(event);
  };

  async function submit(): Promise<void> {
    if (afterEvent(machine.current, 'submit') !== 'validating') return;
    pass('submit');
    rules.onSubmit?.();
    setRefusals([]);
    const errors = rules.errorsOf(form);
    if (errors.length > 0) return found('errors', errors);
    const warningsOf = (strengths: readonly (number | null)[]) => rules.warningsOf(form, strengths);
    const judgement = await judgePasswords(rules.ask, rules.questionOf(form), warningsOf);
    setRefusals(judgement.problem === null ? [] : [judgement.problem]);
    if (judgement.event !== 'clean') return found(judgement.event, judgement.findings);
    pass('clean');
    return send();
  }

  async function send(): Promise<void> {
    setFindings([]);
    try {
      await rules.send(form);
    } catch (reason) {
      const refusal = rules.refusalOf(reason);
      if (refusal.cleared !== undefined) change(refusal.cleared);
      setFindings(refusal.findings ?? []);
      setRefusals(refusal.lines ?? []);
      pass('refused');
    }
  }

  return {
    state,
    form,
    findings,
    refusals,
    isBusy: state === 'validating' || state === 'in_process',
    set: (changed: Partial<Form>) => {
      change(changed);
      pass('edit');
    },
    submit,
    edit: () => pass('edit'),
    continueAnyway: () => {
      pass('continue');
      return send();
    },
  };
}

/** docs/spec/product.md §4 */
export type SignUpState =
  | 'await'
  | 'validating'
  | 'validation_returned_warnings'
  | 'validation_returned_errors'
  | 'in_process';

export type SignUpEvent = 'submit' | 'clean' | 'warnings' | 'errors' | 'continue' | 'edit' | 'refused';

type Exits = Partial<Record<SignUpEvent, SignUpState>>;

const SIGN_UP_STATES: Readonly<Record<SignUpState, Exits>> = {
  await: { submit: 'validating' },
  validating: { clean: 'in_process', warnings: 'validation_returned_warnings', errors: 'validation_returned_errors' },
  validation_returned_warnings: { continue: 'in_process', edit: 'await', submit: 'validating' },
  validation_returned_errors: { edit: 'await', submit: 'validating' },
  in_process: { refused: 'validation_returned_errors' },
};

/** Events that a state does not list change nothing. */
export function afterEvent(state: SignUpState, event: SignUpEvent): SignUpState {
  return SIGN_UP_STATES[state][event] ?? state;
}
