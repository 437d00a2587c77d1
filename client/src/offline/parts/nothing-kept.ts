export const NOTHING_KEPT = {
  enabled: false,
  parts: { key: 'not_loaded', database: 'not_loaded', salt: 'not_loaded' },
  syncMode: 'await',
  copyOf: null,
  progress: null,
  fileLimit: 0,
  filesAllowed: true,
  keepAtLogout: false,
  isLasting: null,
  problem: null,
} as const;

export const TO_BE_DOWNLOADED = {
  key: 'download_required',
  database: 'download_required',
  salt: 'download_required',
} as const;
