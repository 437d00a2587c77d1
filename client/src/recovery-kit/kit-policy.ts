/** Whether the site asks this person for a recovery kit. The server cannot judge a slot, so the client enforces it. */
import { writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { settings } from '@passwordbroker/core/contract/site/site';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../transport/http.ts';
import { recoverySlotOf } from './make-kit.ts';

/** A person may put the kit off for so long after having been asked first. */
export const KIT_GRACE_MS = 14 * 24 * 60 * 60_000;

interface Means {
  readonly http: Pick<Http, 'call'>;
  readonly keyring: Pick<Keyring, 'call' | 'tellDocuments'>;
  readonly now?: () => number;
}

export async function isKitRequired(http: Pick<Http, 'call'>): Promise<boolean> {
  return (await http.call(settings)).recovery_kit === 'required';
}

/**
 * Null: no kit is asked for. The first time is noted in the sealed document `settings`.
 * @param bundle as the unlock got it
 */
export async function kitDemand(
  { http, keyring, now = Date.now }: Means,
  bundle: KeyBundle,
): Promise<{ readonly canPutOff: boolean } | null> {
  if (recoverySlotOf(bundle) !== undefined || bundle.must_rekey || !(await isKitRequired(http))) return null;
  const document = bundle.documents.find(({ name }) => name === 'settings') ?? null;
  const { askedAt, sealed } = await keyring.call('kitAskedAt', { document, now: now() });
  if (sealed !== null) {
    const { replaces, version, blob_base64 } = sealed;
    try {
      await http.call(writeDocument, {
        params: { name: 'settings' },
        ifMatch: replaces,
        body: { version, blob_base64 },
      });
      keyring.tellDocuments([{ name: 'settings', version }]);
    } catch (failure) {
      // Another browser has just noted it.
      if (!(failure instanceof AppError) || failure.code !== 'slot_conflict') throw failure;
    }
  }
  return { canPutOff: now() - askedAt < KIT_GRACE_MS };
}
