/** The second step of signing in: what the server asks for after the right password, and the proof of it. */
import { FACTOR_OPTIONS, LOGIN_FACTOR } from '@passwordbroker/core/contract/account/factor-calls';
import type { FactorAsked, factorOptions, loginFactor } from '@passwordbroker/core/contract/account/factors';
import { type CodeMethod, PROOF_METHODS } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { AnswerError } from '../transport/answers.ts';
import type { Http } from '../transport/http.ts';
import { count, flag, list, object, oneOf, type Read, text } from '../transport/read-json.ts';
import type { Session } from './session.ts';
import { readLinked, type SignInLink } from './link-offer.ts';

const readMembers = object<Omit<FactorAsked, 'passkeys'>, Partial<Pick<FactorAsked, 'passkeys'>>>(
  {
    ticket: text,
    expires_at: text,
    /** Ways that only a newer client knows are left out. */
    methods: (value) => PROOF_METHODS.filter((method) => list(text)(value).includes(method)),
    recovery_codes_left: count,
    can_remember: flag,
    remember_days: count,
  },
  { passkeys: object({ usable: count, elsewhere: list(text) }) },
);

/** An older server names no passkeys. */
const readAsked: Read<FactorAsked> = (value) => {
  const members = readMembers(value);
  return { ...members, passkeys: members.passkeys ?? { usable: 0, elsewhere: [] } };
};

/** From the refusal `second_factor_required`. @throws AnswerError */
export function askedFactor({ details }: AppError): FactorAsked {
  try {
    return readAsked(details);
  } catch {
    throw new AnswerError();
  }
}

type KeyQuestion = AnswerOf<typeof factorOptions>;

const readQuestion: Read<KeyQuestion> = object({
  options: object({
    challenge: text,
    rpId: text,
    userVerification: oneOf('preferred', 'required'),
    timeout: count,
    allowCredentials: list(object({ type: oneOf('public-key'), id: text, transports: list(text) })),
  }),
  options_token: text,
});

/** What a security key has to answer. @throws AppError 'ticket_invalid'; 'not_found' if none works here any more */
export async function securityKeyQuestion(
  { http }: { readonly http: Pick<Http, 'checked'> },
  { ticket }: Pick<FactorAsked, 'ticket'>,
): Promise<KeyQuestion> {
  return http.checked<typeof factorOptions>(FACTOR_OPTIONS, readQuestion, { body: { ticket } });
}

type Assertion = NonNullable<BodyOf<typeof loginFactor>['assertion']>;

interface CodeProof {
  readonly method: CodeMethod;
  readonly code: string;
  readonly remember: boolean;
}

interface KeyProof {
  readonly method: 'passkey';
  readonly assertion: Assertion;
  /** Of the question. */
  readonly options_token: string;
  readonly remember: boolean;
}

export interface Proven {
  readonly recoveryCodesLeft: number;
  /** What the link ticket of the first step stands for. */
  readonly link?: SignInLink;
}

/**
 * Signs in.
 * @throws AppError 'second_factor_invalid'; 'ticket_invalid': the sign-in begins again; 'too_many_requests'
 */
export async function proveFactor(
  { http, session }: { readonly http: Pick<Http, 'checked'>; readonly session: Pick<Session, 'granted'> },
  { ticket, recovery_codes_left }: FactorAsked,
  proof: CodeProof | KeyProof,
): Promise<Proven> {
  const body = { ticket, ...proof };
  const answer = await http.checked<typeof loginFactor>(LOGIN_FACTOR, readProven, { body });
  await session.granted(answer);
  const recoveryCodesLeft = answer.recovery_codes_left ?? recovery_codes_left;
  return { recoveryCodesLeft, ...(answer.link === undefined ? {} : { link: answer.link }) };
}

const readProven: Read<ReturnType<typeof readLinked>> = (value) => ({
  ...readLinked(value),
  ...object({}, { recovery_codes_left: count })(value),
});
