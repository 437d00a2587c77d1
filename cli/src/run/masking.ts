/** Replaces secrets in a stream of bytes, also across the borders of its chunks. */

const MASK = Buffer.from('•••');
/** Shorter ones would hide harmless text. */
const SHORTEST = 4;

/** The values, in base64 and percent-encoded too; the longest first. */
export function formsOf(values: readonly string[]): readonly Buffer[] {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < SHORTEST) continue;
    forms.add(value);
    forms.add(encodeURIComponent(value));
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(value).toString(encoding);
      forms.add(encoded).add(encoded.replace(/=+$/, ''));
    }
  }
  return [...forms].map((form) => Buffer.from(form)).toSorted((a, b) => b.length - a.length);
}

export interface Masker {
  /** What can be shown so far. */
  add(chunk: Buffer): Buffer;
  end(): Buffer;
}

export function masker(forms: readonly Buffer[]): Masker {
  let kept = Buffer.alloc(0);

  const passed = (isLast: boolean): Buffer => {
    const shown: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < kept.length) {
      // Longer forms come first, and are waited for.
      const form = forms.find((one) => startsAt(kept, one, at) || (!isLast && mayContinue(kept, one, at)));
      if (form === undefined) at += 1;
      else if (kept.length - at < form.length) break;
      else {
        shown.push(kept.subarray(from, at), MASK);
        at += form.length;
        from = at;
      }
    }
    shown.push(kept.subarray(from, at));
    kept = kept.subarray(at);
    return Buffer.concat(shown);
  };

  return {
    add(chunk) {
      kept = Buffer.concat([kept, chunk]);
      return passed(false);
    },
    end: () => passed(true),
  };
}

const startsAt = (bytes: Buffer, form: Buffer, at: number) =>
  bytes.length - at >= form.length && bytes.compare(form, 0, form.length, at, at + form.length) === 0;

/** Whether the rest of `bytes` is the beginning of `form`. */
const mayContinue = (bytes: Buffer, form: Buffer, at: number) => {
  const rest = bytes.length - at;
  return rest < form.length && bytes.compare(form, 0, rest, at) === 0;
};
