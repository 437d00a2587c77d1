/** docs/spec/api.md §1.3. Callers branch on `code`, never on text. */
import { translated } from '../texts.ts';

export const PROBLEM_STATUS = {
  bad_request: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  second_factor_invalid: 401,
  ticket_invalid: 401,
  passkey_invalid: 401,
  sso_failed: 401,
  forbidden: 403,
  server_crypto_disabled: 403,
  proof_invalid: 403,
  proof_expired: 403,
  proof_replayed: 403,
  reauth_required: 403,
  setup_token_invalid: 403,
  second_factor_enrolment_required: 403,
  token_without_factor: 403,
  sso_refused: 403,
  sso_not_provisioned: 403,
  sso_link_required: 403,
  account_disabled: 403,
  local_sign_in_off: 403,
  cross_site: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  no_factors: 409,
  sso_not_linked: 409,
  already_linked: 409,
  id_taken: 409,
  revision_conflict: 409,
  key_version_conflict: 409,
  roster_conflict: 409,
  rewrap_set_mismatch: 409,
  offline_mode_off: 409,
  group_disputed: 409,
  key_changed: 409,
  member_unverified: 409,
  trust_record_missing: 409,
  client_too_old: 409,
  slot_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  csrf_mismatch: 419,
  validation: 422,
  master_password_invalid: 422,
  bad_sealed_value: 422,
  integrity_error: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  provider_unavailable: 503,
  insufficient_storage: 507,
  quota_exceeded: 507,
} as const;
export type ProblemCode = keyof typeof PROBLEM_STATUS;

/** The default message of each code. */
export const PROBLEM_TEXTS = {
  bad_request: 'The server did not understand this. Reload the page and try again.',
  unauthenticated: 'You are not signed in. Sign in and try again.',
  invalid_credentials: 'Invalid email or password',
  second_factor_required: 'A second factor is needed',
  second_factor_invalid: 'The code is not right',
  ticket_invalid: 'Your sign-in has expired. Begin again.',
  forbidden: 'You do not have permission to do that',
  server_crypto_disabled: 'This site does not allow programs to send a master password.',
  proof_invalid: 'The confirmation was not accepted. Try again.',
  proof_expired: 'The confirmation came too late. Try again.',
  proof_replayed: 'The confirmation was not accepted. Try again.',
  reauth_required: 'Confirm your password first',
  setup_token_invalid: 'The setup token is missing or wrong',
  second_factor_enrolment_required: 'Set up a second factor first',
  token_without_factor: 'This token was made without a second factor. Make a new one.',
  cross_site: 'This was started by another website and was refused. Try again on this page.',
  not_found: 'Not found',
  method_not_allowed: 'The method is not allowed here',
  id_taken: 'The id is in use: this was probably saved already. Reload the page.',
  slot_conflict: 'It was changed in another place in the meantime. Try again.',
  no_factors: 'This account has no second factor',
  offline_mode_off: 'Offline mode is switched off in this browser or program.',
  group_disputed: 'The list of members of this group has to be checked first. Ask an admin of the group.',
  key_changed: 'The key of a member has changed. Compare the key words with this person first.',
  member_unverified: 'Compare the key words with this person first.',
  trust_record_missing:
    'Your trust record is missing on the server. Unlock the vault in a browser that you used before.',
  unsupported_media_type: 'The content type is not supported',
  payload_too_large: 'This is too large for the server.',
  csrf_mismatch: 'CSRF token mismatch.',
  master_password_invalid: 'MasterPassword is invalid',
  integrity_error: 'The stored value is damaged. Look for an older one in the history.',
  too_many_requests: 'Too many attempts. Try again later.',
  internal: 'Something went wrong',
  unavailable: 'The server is busy. Try again.',
  insufficient_storage: 'The disk of the server is full. Ask a site admin to make room.',
  quota_exceeded: 'There is no storage left for this. Empty the trash, or ask a site admin for more.',
} as const satisfies Partial<Record<ProblemCode, string>>;
const TEXT_OF_CODE: Partial<Record<ProblemCode, string>> = PROBLEM_TEXTS;

export type ProblemErrors = Readonly<Record<string, readonly string[]>>;

export interface ProblemExtras {
  readonly message?: string;
  readonly errors?: ProblemErrors;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly requestId?: string;
}

/** `message` is in the language of the page; on the server it is English. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly errors: ProblemErrors | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    const first = extras.errors === undefined ? undefined : Object.values(extras.errors)[0]?.[0];
    super(translated(extras.message ?? first ?? TEXT_OF_CODE[code] ?? PROBLEM_TEXTS.internal));
    this.name = 'AppError';
    this.code = code;
    this.errors = extras.errors;
    this.details = extras.details;
    this.retryAfter = extras.retryAfter;
    this.requestId = extras.requestId;
  }

  get status(): number {
    return PROBLEM_STATUS[this.code];
  }
}

/** Returned, not thrown. */
export function refuse(field: string, ...texts: readonly string[]): AppError {
  return new AppError('validation', { errors: { [field]: texts } });
}

export const wrongMasterPassword = () =>
  new AppError('master_password_invalid', { errors: { master_password: ['MasterPassword is invalid'] } });
export const missingMasterPassword = () => refuse('master_password', 'MasterPassword is missing');
