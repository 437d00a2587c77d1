/** The second step of signing in: a code of the authenticator app, a security key, or a recovery code. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { keptChoice } from '@passwordbroker/client/kept-choice';
import { askedFactor, type Proven, proveFactor, securityKeyQuestion } from '@passwordbroker/client/session/second-step';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { FactorAsked } from '@passwordbroker/core/contract/account/factors';
import {
  type CodeMethod,
  PROOF_METHODS,
  type ProofMethod,
} from '@passwordbroker/core/contract/account/sign-in-methods';
import { AppError } from '@passwordbroker/core/contract/problem';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { fewCodes } from '../../factors/few-codes.ts';
import { loadChunk } from '../../lib/chunk.ts';
import { http, servers, session } from '../../page/page.ts';
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

/** What was used last in this browser comes first. */
const lastMethod = keptChoice<ProofMethod>(
  'passwordbroker.second-step',
  'totp',
  (text) => PROOF_METHODS.find((method) => method === text) ?? null,
  () => localStorage,
);

const loadWebAuthn = () => loadChunk('webauthn', () => import('../../passkeys/webauthn.ts'));

export function FactorStep({ asked, onBack, onProven }: Props) {
  usePageTitle(TEXTS.title);
  const [factor] = useState(() => askedHere(asked));
  const [state, setState] = useState<FactorState>('form');
  const [method, setMethod] = useState<ProofMethod>(() => firstMethod(factor));
  const [problem, setProblem] = useState<string | null>(null);
  const enter = (event: FactorEvent) => setState((before) => afterEvent(before, event));

  const prove = async (proof: () => Promise<Parameters<typeof proveFactor>[2]>) => {
    enter('submit');
    setProblem(null);
    try {
      const proven = await proveFactor({ http, session }, factor, await proof());
      if (method !== 'recovery') lastMethod.set(method);
      fewCodes.tell(proven.recoveryCodesLeft);
      enter('right');
      onProven?.(proven);
    } catch (failure) {
      const code = failure instanceof AppError ? failure.code : null;
      if (code === 'ticket_invalid') return onBack([reasonOf(failure)]);
      setProblem(code === 'not_found' ? TEXTS.keyGone : reasonOf(failure));
      enter('wrong');
    }
  };
  const proveWithKey = (remember: boolean) =>
    prove(async () => {
      const { options, options_token } = await securityKeyQuestion({ http }, factor);
      const { answerWithPasskey } = await loadWebAuthn();
      return { method: 'passkey', assertion: await answerWithPasskey(options), options_token, remember };
    });
  const common = {
    factor,
    isChecking: state !== 'form',
    problem,
    verbs: (
      <div className={styles['actions']}>
        {factor.methods.length > 1 && (
          <Button variant="ghost" onPress={() => enter('another way')}>
            {TEXTS.anotherWay}
          </Button>
        )}
        <Button variant="ghost" onPress={() => onBack()}>
          {TEXTS.back}
        </Button>
      </div>
    ),
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
          factor={factor}
          onBack={onBack}
          onChosen={(chosen) => {
            setMethod(chosen);
            setProblem(null);
            enter('method');
          }}
        />
      ) : method === 'passkey' ? (
        <KeyForm {...common} onKey={proveWithKey} />
      ) : (
        <CodeForm
          key={method}
          {...common}
          method={method}
          onCode={(code, remember) => prove(() => Promise.resolve({ method, code, remember }))}
        />
      )}
    </IdentityFrame>
  );
}

/** Without the security key in a browser that cannot use it. */
function askedHere(asked: AppError): FactorAsked {
  const factor = askedFactor(asked);
  const canUseKey = 'PublicKeyCredential' in globalThis;
  return { ...factor, methods: factor.methods.filter((method) => canUseKey || method !== 'passkey') };
}

function firstMethod({ methods }: FactorAsked): ProofMethod {
  const last = lastMethod.get();
  return methods.includes(last) ? last : (methods[0] ?? 'recovery');
}

interface FormProps {
  readonly factor: FactorAsked;
  readonly isChecking: boolean;
  readonly problem: string | null;
  /** Below the form. */
  readonly verbs: ReactNode;
}

interface KeyProps extends FormProps {
  readonly onKey: (remember: boolean) => Promise<void>;
}

function KeyForm({ factor, isChecking, problem, verbs, onKey }: KeyProps) {
  const [remember, setRemember] = useState(false);
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{TEXTS.title}</h1>
        <p>{TEXTS.keyHint}</p>
      </div>
      {factor.can_remember && (
        <Checkbox isSelected={remember} onChange={setRemember}>
          {TEXTS.remember(factor.remember_days)}
        </Checkbox>
      )}
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      <Button
        variant="primary"
        size="lg"
        isBlock
        autoFocus
        busy={isChecking}
        busyLabel={TEXTS.waitingForKey}
        onPress={() => void onKey(remember && factor.can_remember)}
      >
        {TEXTS.useKey}
      </Button>
      <p role="status" className="visually-hidden">
        {isChecking ? TEXTS.waitingForKey : ''}
      </p>
      {verbs}
    </div>
  );
}

interface CodeProps extends FormProps {
  readonly method: CodeMethod;
  readonly onCode: (code: string, remember: boolean) => Promise<void>;
}

function CodeForm({ factor, method, isChecking, problem, verbs, onCode }: CodeProps) {
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
      <KeysElsewhere factor={factor} />
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
      {verbs}
    </form>
  );
}

interface ChoiceProps extends Pick<Props, 'onBack'> {
  readonly factor: FactorAsked;
  readonly onChosen: (method: ProofMethod) => void;
}

const METHODS: Readonly<Record<ProofMethod, string>> = {
  totp: TEXTS.useTotp,
  passkey: TEXTS.useKey,
  recovery: TEXTS.useRecovery,
};

function Choice({ factor, onChosen, onBack }: ChoiceProps) {
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{TEXTS.title}</h1>
        <p>{TEXTS.choose}</p>
      </div>
      <KeysElsewhere factor={factor} />
      {factor.methods.map((method, at) => (
        <Button key={method} size="lg" isBlock autoFocus={at === 0} onPress={() => onChosen(method)}>
          {METHODS[method]}
        </Button>
      ))}
      <p className={styles['alternative']}>{TEXTS.lost}</p>
      <div className={styles['actions']}>
        <Button variant="ghost" onPress={() => onBack()}>
          {TEXTS.back}
        </Button>
      </div>
    </div>
  );
}

/** Says why no security key is offered: this page belongs to another host. */
function KeysElsewhere({ factor: { passkeys } }: { readonly factor: FactorAsked }) {
  const hosts = passkeys.elsewhere.join(', ');
  if (passkeys.usable > 0 || hosts === '') return null;
  const text = servers.chosen() === null ? TEXTS.keysMoved(hosts) : TEXTS.keysAtHome(hosts);
  return <MessageBox tone="info" lines={[text]} />;
}
