/**
 * The inviter's key in the fragment of an invitation's link. Browsers send no fragment to a server, so the person who accepts knows this key as
 * the inviter has handed it over.
 */
export interface Inviter {
  readonly userId: string;
  readonly name: string;
  /** 64 lower-case hex characters. */
  readonly fingerprint: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;

/** The link without a fragment: a server that put one there would hand its own key over in the inviter's name. */
export const withoutFragment = (link: string): string => link.replace(/#.*$/s, '');

/** @param link without a fragment */
export const withInviter = (link: string, { userId, name, fingerprint }: Inviter): string =>
  `${link}#${new URLSearchParams({ inviter: userId, key: fingerprint, name }).toString()}`;

/** Null for a link without a key, or with anything else behind it. */
export function inviterIn(hash: string): Inviter | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const [userId = '', fingerprint = '', name = ''] = ['inviter', 'key', 'name'].map((part) => parts.get(part) ?? '');
  return ID.test(userId) && FINGERPRINT.test(fingerprint) && name !== '' ? { userId, name, fingerprint } : null;
}
