/** The second step of signing in: what the server asks for after the right password, and the proof of it. */
import { LOGIN_FACTOR } from '@passwordbroker/core/contract/account/factor-calls';
import type { FactorAsked, loginFactor } from '@passwordbroker/core/contract/account/factors';
import { PROOF_METHODS, type ProofMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { AnswerError } from '../transport/answers.ts';
import type { Http } from '../transport/http.ts';
import { count, flag, list, object, type Read, text } from '../transport/read-json.ts';
import type { Session } from './session.ts';
import { readLinked, type SignInLink } from './link-offer.ts';

type Keys = Pick<FactorAsked, 'passkeys'>;

const readMembers = object<Omit<FactorAsked, 'passkeys'>, Keys>(
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
const readAsked: Read<FactorAsked> = (value) => ({ passkeys: { usable: 0, elsewhere: [] }, ...readMembers(value) });

/** From the refusal `second_factor_required`. @throws AnswerError */
export function askedFactor({ details }: AppError): FactorAsked {
  try {
    return readAsked(details);
  } catch {
    throw new AnswerError();
  }
}

interface Proof {
  readonly method: ProofMethod;
  readonly code: string;
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
  proof: Proof,
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
