/** Spellings of KeePass and its plug-ins (docs/spec/decisions.md H7). */
import { utf8 } from '../../crypto/bytes.ts';
import { type ReadTotp, base32Of, fromBase64, fromHex, readOtpText, totpOf } from '../exchange/one-time-password.ts';

export type Strings = ReadonlyMap<string, string>;

export interface FoundTotp {
  readonly totp: ReadTotp;
  readonly keys: readonly string[];
}

interface Spelling {
  readonly keys: readonly string[];
  /** Null unless it is a time-based code of six digits. */
  read(strings: Strings): ReadTotp | null;
}

const OTP_STRING: Spelling = { keys: ['otp'], read: (strings) => readOtpText(strings.get('otp') ?? '') };

/** `TimeOtp-*`: KeePass 2.47 and later. */
const TIME_OTP_SECRETS: Readonly<Record<string, (text: string) => string | null>> = {
  'TimeOtp-Secret-Base32': (text) => text,
  'TimeOtp-Secret-Hex': (text) => base32Of(text, fromHex),
  'TimeOtp-Secret-Base64': (text) => base32Of(text, fromBase64),
  'TimeOtp-Secret': (text) => base32Of(text, utf8),
};
const TIME_OTP: Spelling = {
  keys: [...Object.keys(TIME_OTP_SECRETS), 'TimeOtp-Period', 'TimeOtp-Algorithm', 'TimeOtp-Length'],
  read(strings) {
    for (const [key, convert] of Object.entries(TIME_OTP_SECRETS)) {
      const text = strings.get(key) ?? '';
      if (text.trim() === '') continue;
      return totpOf({
        secret: convert(text),
        algorithm: strings.get('TimeOtp-Algorithm'),
        period: strings.get('TimeOtp-Period'),
        digits: strings.get('TimeOtp-Length'),
      });
    }
    return null;
  },
};

/** `TOTP Seed` with `TOTP Settings` such as `30;6` (KeeTrayTOTP). */
const SEED_AND_SETTINGS: Spelling = {
  keys: ['TOTP Seed', 'TOTP Settings'],
  read(strings) {
    const [period, digits] = (strings.get('TOTP Settings') ?? '').split(';');
    return totpOf({ secret: strings.get('TOTP Seed') ?? null, period, digits });
  },
};

const SPELLINGS = [OTP_STRING, TIME_OTP, SEED_AND_SETTINGS] as const;

export interface FoundTotps {
  readonly found: readonly FoundTotp[];
  readonly unread: number;
}

/** Equal ones in several spellings count once. */
export function readOneTimePasswords(strings: Strings): FoundTotps {
  const found = new Map<string, FoundTotp>();
  let unread = 0;
  for (const spelling of SPELLINGS) {
    const { keys } = spelling;
    const present = keys.filter((key) => (strings.get(key) ?? '').trim() !== '');
    if (present.length === 0) continue;
    const totp = spelling.read(strings);
    if (totp === null) {
      unread += 1;
      continue;
    }
    const same = `${totp.secret} ${totp.algorithm} ${totp.period}`;
    found.set(same, { totp, keys: [...(found.get(same)?.keys ?? []), ...keys] });
  }
  // By counter; KeePass 2.51 and later.
  if ([...strings].some(([key, value]) => key.startsWith('HmacOtp-Secret') && value.trim() !== '')) unread += 1;
  return { found: [...found.values()], unread };
}
