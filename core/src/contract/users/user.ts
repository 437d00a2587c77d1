/** `User` for the person and site admins, `UserBrief` for everyone else (docs/spec/api.md §2). */
import * as z from 'zod/mini';

const time = z.string();

export const UserBrief = z.object({ user_id: z.string(), name: z.string() });
export type UserBrief = z.output<typeof UserBrief>;

/** '1' from an older server (docs/spec/product.md §3). */
const adminFlag = z.pipe(
  z.transform((value: unknown) => (value === '1' ? true : value)),
  z.boolean(),
);

export const User = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  is_admin: adminFlag,
  has_keys: z.boolean(),
  must_rekey: z.boolean(),
  mp_exposed_at: z.nullable(time),
  server_crypto_opt_out: z.boolean(),
  created_at: time,
  updated_at: time,
  /** Only in responses about accounts. */
  storage_bytes: z.optional(z.number()),
  /** When the recovery kit was made; null: none. Only in responses about accounts. */
  recovery_kit_at: z.optional(z.nullable(time)),
  disabled: z.optional(z.literal(true)),
  is_auditor: z.optional(z.literal(true)),
  /** Absent: no second factor. `reset`: the person must set up a new one. */
  factor_state: z.optional(z.enum(['set', 'reset'])),
  /** The time from which the account must have a second factor, past or future. Absent: it need not. */
  factor_due_at: z.optional(time),
  /** Set if the account has no password: it signs in at an identity provider. */
  has_password: z.optional(z.literal(false)),
  /** Names of the identity providers that it is linked to. Only in responses about accounts; absent: none. */
  providers: z.optional(z.array(z.string())),
  /** Set if the account may sign in with its password even while that is off for others. */
  break_glass: z.optional(z.literal(true)),
});
export type User = z.output<typeof User>;
