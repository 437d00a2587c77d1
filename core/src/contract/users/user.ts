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
  disabled: z.optional(z.literal(true)),
  is_auditor: z.optional(z.literal(true)),
});
export type User = z.output<typeof User>;
