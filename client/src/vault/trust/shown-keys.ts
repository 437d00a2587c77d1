/** Keys as the server shows them; the worker verifies each before it counts. */
import type { Certificate, GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { certificates } from '@passwordbroker/core/contract/users/users';
import type { ShownKey } from '../../keyring/calls.ts';
import type { Http } from '../../transport/http.ts';

/** null: no keys yet, or no account. */
export async function shownKeyOf(http: Http, userId: string, signal?: AbortSignal): Promise<ShownKey | null> {
  try {
    const { certificate, previous } = await http.call(certificates, { params: { id: userId }, signal });
    return { certificate, former: previous };
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'not_found') return null;
    throw failure;
  }
}

export async function certificatesOf(http: Http, userId: string): Promise<readonly Certificate[]> {
  const shown = await shownKeyOf(http, userId);
  return shown === null ? [] : [shown.certificate, ...(shown.former ?? [])];
}

type FormerOf = (certificate: Certificate) => Promise<readonly Certificate[]>;

/** Keys of a list; changed keys come with their former ones, which may vouch for them. */
export function shownKeysOf(
  http: Http,
  listed: readonly GroupUserWithCertificate[],
  formerOf: FormerOf = async ({ user_id }) => (await shownKeyOf(http, user_id))?.former ?? [],
) {
  const withKeys = listed.flatMap(({ certificate, role, user_id }) =>
    certificate === null || certificate.user_id !== user_id ? [] : [{ certificate, role }],
  );
  return Promise.all(
    withKeys.map(async ({ certificate, role }) =>
      certificate.prev_fpr === '' ? { certificate, role } : { certificate, role, former: await formerOf(certificate) },
    ),
  );
}
