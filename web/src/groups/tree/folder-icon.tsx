interface Props {
  readonly kind: 'leaf' | 'closed' | 'open';
}

const FOLDER = 'M1.8 12V4a1 1 0 0 1 1-1h3l1.6 1.7h5.8a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H2.8a1 1 0 0 1-1-1Z';
const OPEN_FRONT = 'm1.9 12.3 1.6-4.8a1 1 0 0 1 1-.7h9.2a.7.7 0 0 1 .7.9l-1.5 4.6a1 1 0 0 1-1 .7H2.8a.9.9 0 0 1-.9-.7Z';
const OPEN_BACK = 'M1.8 12V4a1 1 0 0 1 1-1h3l1.6 1.7h4.8a1 1 0 0 1 1 1v1';

export function FolderIcon({ kind }: Props) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {kind === 'open' ? (
        <>
          <path d={OPEN_FRONT} fill="currentColor" fillOpacity=".18" />
          <path d={OPEN_BACK} />
        </>
      ) : (
        <path d={FOLDER} {...(kind === 'closed' ? { fill: 'currentColor', fillOpacity: '.18' } : {})} />
      )}
      {kind === 'closed' && <path d="m7.2 7.3 1.6 1.6-1.6 1.6" />}
    </svg>
  );
}
