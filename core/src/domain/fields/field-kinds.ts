/** Spelled as in docs/spec/product.md §3, §9. */
export const FIELD_TYPES = ['password', 'link', 'note', 'file', 'TOTP'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const TOTP_ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export type TotpAlgorithm = (typeof TOTP_ALGORITHMS)[number];
