/**
 * The inviter's key in an invitation link. Browsers do not send fragments, so the key comes from the inviter,
 * not from a server.
 */
export interface Inviter {
  readonly userId: string;
  readonly name: string;
  /** 64 lower-case hex characters. */
  readonly fingerprint: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;

/** A server could put its own key there. */
export const withoutFragment = (link: string): string => link.replace(/#.*$/s, '');

/** @param link without a fragment */
export const withInviter = (link: string, { userId, name, fingerprint }: Inviter): string =>
  `${link}#${new URLSearchParams({ inviter: userId, key: fingerprint, name }).toString()}`;

/** Null for another form. */
export function inviterIn(hash: string): Inviter | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const [userId = '', fingerprint = '', name = ''] = ['inviter', 'key', 'name'].map((part) => parts.get(part) ?? '');
  return ID.test(userId) && FINGERPRINT.test(fingerprint) && name !== '' ? { userId, name, fingerprint } : null;
}
