import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openField, openSite, sealSiteAgain } from '@passwordbroker/core/domain/fields/field';
import { wipeContent } from '@passwordbroker/core/domain/fields/payload';
import { siteRulesOf, type SiteRules } from '@passwordbroker/core/domain/sites/site-rules';
import { nextTurn } from '../../transport/waiting.ts';
import type { InputOf } from '../calls.ts';
import { requireAnswers } from '../groups/member-services.ts';
import { committedKeyOf, heldGroupOf, openingKeyOf, requireConfirmed, type OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import type { SiteCalls } from './site-calls.ts';

/** Rows between checks of the signal. */
const PORTION = 100;

type Row = InputOf<'openSites'>['rows'][number];

export function siteOpening(session: () => OpenSession): Pick<Services, keyof SiteCalls> {
  /** For sealing: a key version that the server may know would show it the rules. */
  async function sealingKeyOf(groupId: string, version: number) {
    await requireAnswers(session());
    const held = heldGroupOf(session(), groupId);
    requireConfirmed(held);
    return committedKeyOf(held, version);
  }

  return {
    async openSites({ entryGroupId, rows }, { signal }) {
      const held = heldGroupOf(session(), entryGroupId);
      const openOne = async (row: Row): Promise<SiteRules | null> => {
        const { entry_id: entryId, field_id: fieldId, rev, site_sealed_base64, cek_wrapped_base64 } = row;
        if (site_sealed_base64 === null) return null;
        const key = openingKeyOf(held, row.gk_version);
        const place = { entryGroupId, entryId, fieldId, type: 'link', rev } as const;
        return openSite(key, place, { cek_wrapped_base64, site_sealed_base64 }).catch(nullIfDamaged);
      };
      const opened: (SiteRules | null)[] = [];
      for (let at = 0; at < rows.length; at += PORTION) {
        signal.throwIfAborted();
        opened.push(...(await Promise.all(rows.slice(at, at + PORTION).map(openOne))));
        // Browsers deliver WebCrypto results before messages.
        await nextTurn();
      }
      return opened;
    },

    async sealSite({ place, wrapped, rules }) {
      const key = await sealingKeyOf(place.entryGroupId, wrapped.gk_version);
      return sealSiteAgain(key, place, wrapped.cek_wrapped_base64, rules);
    },

    async prepareSite({ place, envelope }) {
      const key = await sealingKeyOf(place.entryGroupId, envelope.gk_version);
      const content = await openField(key, place, envelope);
      if (content.type !== 'link') throw new CryptoError('payload');
      const rules = siteRulesOf(new TextDecoder().decode(content.value));
      wipeContent(content);
      const siteSealed = await sealSiteAgain(key, place, envelope.cek_wrapped_base64, rules);
      return { siteSealed, isAddress: rules.length > 0 };
    },
  };
}

function nullIfDamaged(failure: unknown): null {
  if (failure instanceof CryptoError) return null;
  throw failure;
}
