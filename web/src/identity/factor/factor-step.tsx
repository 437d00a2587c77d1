/** The second step of signing in: a code of the authenticator app or a recovery code. */
import { type FormEvent, useRef, useState } from 'react';
import { askedFactor, type Proven, proveFactor } from '@passwordbroker/client/session/second-step';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { FactorAsked } from '@passwordbroker/core/contract/account/factors';
import type { ProofMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import { AppError } from '@passwordbroker/core/contract/problem';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { fewCodes } from '../../factors/few-codes.ts';
import { http, session } from '../../page/page.ts';
import { FACTOR_TEXTS as TEXTS } from '../../texts/identity/factors.ts';
import { IdentityFrame } from '../identity-frame.tsx';
import styles from '../identity-frame.module.css';
import { afterEvent, type FactorEvent, type FactorState } from './factor-states.ts';

interface Props {
  /** The refusal `second_factor_required`. */
  readonly asked: AppError;
  /** @param lines why the sign-in begins again */
  readonly onBack: (lines?: readonly string[]) => void;
  /** Signed in. */
  readonly onProven?: (proven: Proven) => void;
}

export function FactorStep({ asked, onBack, onProven }: Props) {
  usePageTitle(TEXTS.title);
  const [factor] = useState(() => askedFactor(asked));
  const [state, setState] = useState<FactorState>('code');
  const [method, setMethod] = useState<ProofMethod>(factor.methods[0] ?? 'recovery');
  const [problem, setProblem] = useState<string | null>(null);
  const enter = (event: FactorEvent) => setState((before) => afterEvent(before, event));

  const prove = async (code: string, remember: boolean) => {
    enter('submit');
    setProblem(null);
    try {
      const proven = await proveFactor({ http, session }, factor, { method, code, remember });
      fewCodes.tell(proven.recoveryCodesLeft);
      enter('right');
      onProven?.(proven);
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'ticket_invalid') return onBack([failure.message]);
      setProblem(reasonOf(failure));
      enter('wrong');
    }
  };
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.side}</h2>
          <p>{TEXTS.sideText}</p>
        </>
      }
    >
      {state === 'choose' ? (
        <Choice
          methods={factor.methods}
          onBack={onBack}
          onChosen={(chosen) => {
            setMethod(chosen);
            setProblem(null);
            enter('method');
          }}
        />
      ) : (
        <CodeForm
          key={method}
          factor={factor}
          method={method}
          isChecking={state !== 'code'}
          problem={problem}
          onCode={prove}
          onAnotherWay={factor.methods.length > 1 ? () => enter('another way') : null}
          onBack={onBack}
        />
      )}
    </IdentityFrame>
  );
}

interface FormProps extends Pick<Props, 'onBack'> {
  readonly factor: FactorAsked;
  readonly method: ProofMethod;
  readonly isChecking: boolean;
  readonly problem: string | null;
  readonly onCode: (code: string, remember: boolean) => Promise<void>;
  /** Null: there is no other way. */
  readonly onAnotherWay: (() => void) | null;
}

function CodeForm({ factor, method, isChecking, problem, onCode, onAnotherWay, onBack }: FormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [remember, setRemember] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const isApp = method === 'totp';
  const shown = isMissing ? TEXTS.missing : problem;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isChecking) return;
    setMissing(code.trim() === '');
    if (code.trim() !== '') {
      await onCode(code, remember && isApp && factor.can_remember);
      setCode('');
    }
    input.current?.focus();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles['heading']}>
        <h1>{TEXTS.title}</h1>
        {isApp && <p>{TEXTS.totpHint}</p>}
      </div>
      <TextField
        ref={input}
        label={isApp ? TEXTS.code : TEXTS.recoveryCode}
        {...(isApp ? {} : { hint: `${TEXTS.recoveryHint(factor.recovery_codes_left)} ${TEXTS.lost}` })}
        value={code}
        onChange={setCode}
        size="lg"
        mono
        autoFocus
        inputMode={isApp ? 'numeric' : 'text'}
        autoComplete={isApp ? 'one-time-code' : 'off'}
        maxLength={64}
        isInvalid={shown !== null}
      />
      {isApp && factor.can_remember && (
        <Checkbox isSelected={remember} onChange={setRemember}>
          {TEXTS.remember(factor.remember_days)}
        </Checkbox>
      )}
      {shown !== null && <MessageBox tone="danger" lines={[shown]} />}
      <Button variant="primary" size="lg" type="submit" busy={isChecking} busyLabel={TEXTS.confirming}>
        {TEXTS.confirm}
      </Button>
      <div className={styles['actions']}>
        {onAnotherWay !== null && (
          <Button variant="ghost" onPress={onAnotherWay}>
            {TEXTS.anotherWay}
          </Button>
        )}
        <Button variant="ghost" onPress={onBack}>
          {TEXTS.back}
        </Button>
      </div>
    </form>
  );
}

interface ChoiceProps extends Pick<Props, 'onBack'> {
  readonly methods: readonly ProofMethod[];
  readonly onChosen: (method: ProofMethod) => void;
}

const METHODS: Readonly<Record<ProofMethod, string>> = { totp: TEXTS.useTotp, recovery: TEXTS.useRecovery };

function Choice({ methods, onChosen, onBack }: ChoiceProps) {
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{TEXTS.title}</h1>
        <p>{TEXTS.choose}</p>
      </div>
      {methods.map((method, at) => (
        <Button key={method} size="lg" isBlock autoFocus={at === 0} onPress={() => onChosen(method)}>
          {METHODS[method]}
        </Button>
      ))}
      <p className={styles['alternative']}>{TEXTS.lost}</p>
      <div className={styles['actions']}>
        <Button variant="ghost" onPress={onBack}>
          {TEXTS.back}
        </Button>
      </div>
    </div>
  );
}
