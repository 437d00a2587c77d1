/** Calls about site rules. Values of links stay in the worker. */
import type { Envelope } from '@passwordbroker/core/contract/entities';
import type { SiteRow } from '@passwordbroker/core/contract/entries/sites';
import type { FieldContext } from '@passwordbroker/core/domain/fields/field';
import type { SiteRules } from '@passwordbroker/core/domain/sites/site-rules';

interface Call<Input, Output> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: never;
}

type LinkPlace = FieldContext & { readonly type: 'link' };

export interface SiteCalls {
  /** In the order of `rows`, null for rules that are missing or do not open. The key versions must be open. */
  openSites: Call<
    { readonly entryGroupId: string; readonly rows: readonly Omit<SiteRow, 'entry_title'>[] },
    readonly (SiteRules | null)[]
  >;
  /** Other rules for the same revision. @throws KeyringError as `requireConfirmed`, 'key_mismatch'; CryptoError */
  sealSite: Call<
    {
      readonly place: LinkPlace;
      readonly wrapped: Pick<SiteRow, 'gk_version' | 'cek_wrapped_base64'>;
      readonly rules: SiteRules;
    },
    string
  >;
  /** The rules of the released value itself. `isAddress`: it has one. @throws as `sealSite` */
  prepareSite: Call<
    { readonly place: LinkPlace; readonly envelope: Envelope },
    { readonly siteSealed: string; readonly isAddress: boolean }
  >;
}
