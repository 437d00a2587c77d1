/** Whether a text has the form of an e-mail address: one `@`, a domain with a dot, nothing that could break out of a mail header. */
export function isEmail(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}.]+(\.[^\s@<>()[\],;:\\"\p{Cc}.]+)+$/u.test(text)
  );
}
