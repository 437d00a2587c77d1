/** What a permission names: all ports and pages of the host of an address. */
export const sitePattern = (address: string): string => {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}/*`;
};

/** All sites where sign-ins can be offered for saving. */
export const ALL_SITES = 'https://*/*';
