/** Fills the top frame of one tab at an act of the person. Everything is checked before a value is revealed, and again in the page. */
import { urlOf } from '@passwordbroker/core/domain/url';
import type { EntryPath } from '@passwordbroker/client/vault/vault';
import type { BrowserTab } from '../browser-api.ts';
import type { Call } from '../calls.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import type { FormReading, FoundForm, Role } from '../page/form-types.ts';
import type { InPage } from './in-page.ts';

/** Questions that the person has answered with yes. */
export type Accepted = 'other_host' | 'plain_http' | 'other_action';

export interface FillRequest {
  readonly tabId: number;
  readonly entry: EntryPath;
  /** The form that the person chose, of `forms`. */
  readonly form?: number;
  readonly accepted?: readonly Accepted[];
}

export type Filling =
  /** `isPartly`: the page replaced a field while it was filled. `isCodeMissing`: the code could not be copied. */
  | { readonly result: 'filled'; readonly isPartly: boolean; readonly isCodeMissing: boolean }
  | {
      readonly result: 'refused';
      readonly why: 'changed' | 'no_value' | 'unreadable' | 'no_form' | 'plain_action' | 'https_only';
    }
  | { readonly result: 'refused'; readonly why: 'frame'; readonly origin: string }
  | { readonly result: 'which_form'; readonly forms: readonly Pick<FoundForm, 'id' | 'label'>[] }
  | {
      readonly result: 'ask';
      readonly question: Accepted;
      readonly host: string;
      readonly kept: readonly string[];
      readonly canKeep: boolean;
    };

interface Parts {
  readonly tab: (tabId: number) => Promise<BrowserTab>;
  readonly inPage: InPage;
  readonly keeper: Call<KeeperOperations>;
}

export async function fill(parts: Parts, request: FillRequest): Promise<Filling> {
  const { tabId, entry, accepted = [] } = request;
  const { inPage, keeper } = parts;
  const address = (await parts.tab(tabId)).url;
  if (address === undefined || !/^https?:/.test(address)) return { result: 'refused', why: 'unreadable' };
  const fit = await keeper('fit', { entry, address });
  const { host, origin } = new URL(address);
  const ask = (question: Accepted, about = host): Filling => ({
    result: 'ask',
    question,
    host: about,
    kept: fit.hosts,
    canKeep: fit.canKeep,
  });
  if (fit.isHttpsOnly) return { result: 'refused', why: 'https_only' };
  if (!fit.isExact && !accepted.includes('other_host')) return ask('other_host');
  if (fit.isPlain && !accepted.includes('plain_http')) return ask('plain_http');

  const read = await inPage.read(tabId, { purpose: 'sign-in' });
  if (read === null) return { result: 'refused', why: 'unreadable' };
  const { reading, documentId } = read;
  if (!reading.isTop || reading.origin !== origin) return { result: 'refused', why: 'changed' };
  const form = formOf(reading, request.form);
  if (!('kind' in form)) return form;
  const { action, has } = form;
  if (action?.isPlainHttp === true) return { result: 'refused', why: 'plain_action' };
  if (
    action !== null &&
    !accepted.includes('other_action') &&
    !(await keeper('isSameSite', { address, other: action.origin }))
  )
    return ask('other_action', action.host);

  const { userName, password, code } = await keeper('secrets', {
    entry,
    wanted: { userName: has.userName, password: has.password, code: has.code },
  });
  const given: Readonly<Partial<Record<Role, string>>> = { userName, password, code };
  const wanted = (['userName', 'password', 'code'] as const).filter((role) => has[role] && given[role] !== '');
  if (wanted.length === 0) return { result: 'refused', why: 'no_value' };
  // The tab may show another page by now; the script in the page checks the same.
  if ((await parts.tab(tabId)).url !== address) return { result: 'refused', why: 'changed' };
  const filled = await inPage.fill(tabId, documentId, {
    mark: reading.mark,
    origin,
    form: form.id,
    userName,
    password,
    code,
  });
  if (filled.result === 'changed') return { result: 'refused', why: 'changed' };
  const isNextCode = filled.filled.includes('password') && !has.code;
  return {
    result: 'filled',
    isPartly: !wanted.every((role) => filled.filled.includes(role)),
    isCodeMissing: isNextCode && !(await copyNextCode(keeper, entry)),
  };
}

/** @returns false if there is one that could not be copied */
const copyNextCode = (keeper: Parts['keeper'], entry: EntryPath) =>
  keeper('copyNextCode', { entry }).then(
    () => true,
    () => false,
  );

export interface NewPasswordRequest {
  readonly tabId: number;
  /** Of the page that the popup shows. */
  readonly address: string;
  readonly password: string;
}

/** Fills a new password into the fields for it. */
export async function fillNew(
  { tab, inPage }: Omit<Parts, 'keeper'>,
  { tabId, address, password }: NewPasswordRequest,
): Promise<'filled' | 'changed' | 'plain_action'> {
  const shown = (await tab(tabId)).url ?? '';
  const read = await inPage.read(tabId, { purpose: 'new' });
  if (read === null || !isOf(read.reading, address) || !isOf(read.reading, shown)) return 'changed';
  const { mark, origin, choice, forms } = read.reading;
  const form = forms.find(({ id }) => id === choice);
  if (form === undefined) return 'changed';
  if (form.action?.isPlainHttp === true) return 'plain_action';
  const order = { mark, origin, form: form.id, newPassword: password };
  return (await inPage.fill(tabId, read.documentId, order)).result;
}

/** The top frame of the page that the browser says the tab shows. */
export const isOf = ({ isTop, origin }: FormReading, address: string) => isTop && urlOf(address)?.origin === origin;

/** The form that the person chose, or the only one that fits. */
function formOf({ forms, choice, frames }: FormReading, chosen: number | undefined): FoundForm | Filling {
  const wanted = chosen ?? choice;
  if (wanted === 'ask') return { result: 'which_form', forms: forms.map(({ id, label }) => ({ id, label })) };
  const form = wanted === null ? undefined : forms.find(({ id }) => id === wanted);
  if (form !== undefined) return form;
  const [frame] = frames;
  return frame === undefined
    ? { result: 'refused', why: 'no_form' }
    : { result: 'refused', why: 'frame', origin: frame };
}
