/** What the script in a page and the background tell each other. Everything in a reading comes from the page and is untrusted. */

/** `new-password`: a registration or a change of password. */
export type FormKind = 'sign-in' | 'user-name' | 'password' | 'code' | 'new-password';

export type Role = 'userName' | 'password' | 'newPassword' | 'code';

export interface FormAction {
  readonly origin: string;
  readonly host: string;
  /** The form of an https page sends to http. */
  readonly isPlainHttp: boolean;
}

export interface FoundForm {
  /** Index in `forms`; valid with the mark of the reading alone. */
  readonly id: number;
  readonly kind: FormKind;
  readonly has: {
    readonly userName: boolean;
    readonly password: boolean;
    readonly newPasswords: number;
    readonly code: boolean;
  };
  /** Heading or button of the form: at most 80 characters without control characters, '' if there is none. */
  readonly label: string;
  readonly isFocused: boolean;
  /** Where the form and its buttons send, when this is another origin than the page's; null: to the page's own, or a script does. */
  readonly action: FormAction | null;
  /** Only with `withValues`. */
  readonly values?: { readonly userName: string; readonly password: string };
}

/** What the person wants to fill: a saved sign-in, a one-time code, or a new password. */
export type Purpose = 'sign-in' | 'code' | 'new';

export interface ReadOptions {
  readonly purpose?: Purpose;
  /** Reads the values, too: the person clicked 'Save from this page'. */
  readonly withValues?: boolean;
}

export interface FormReading {
  /** Random; the script keeps it with the elements it stands for. One filling uses it up. */
  readonly mark: string;
  readonly origin: string;
  readonly isTop: boolean;
  /** At most 200 characters. */
  readonly title: string;
  /** In the order of the document, at most 20. */
  readonly forms: readonly FoundForm[];
  /** The form that the purpose means. null: none. `ask`: several. */
  readonly choice: number | null | 'ask';
  /** Origins of visible frames, at most 5: the form may be in one of them. */
  readonly frames: readonly string[];
}

/** Values by role; a missing or empty one is not filled. */
export interface FillOrder {
  readonly mark: string;
  /** The origin that the browser says the tab has. */
  readonly origin: string;
  readonly form: number;
  readonly userName?: string;
  readonly password?: string;
  /** Goes into each new-password field of the form. */
  readonly newPassword?: string;
  readonly code?: string;
}

/** `changed`: the page is no longer the one that was read; nothing was filled. `filled` lists what the fields hold. */
export type FillResult =
  | { readonly result: 'filled'; readonly filled: readonly Role[] }
  | { readonly result: 'changed' };

/**
 * The background inserts this with the origin USER around a reading and a filling, so that hit tests also meet overlays that let clicks through. No style of
 * the page is stronger. `uncover` refuses without it.
 */
export const UNCOVERING_RULES =
  'pointer-events:auto!important;interactivity:auto!important;transition-behavior:normal!important';
export const MARK_OF_UNCOVERING = '--passwordbroker-uncovered';
