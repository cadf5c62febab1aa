/** The icons of the shell, drawn on a 16-unit grid in the text color. */
const PATHS = {
  graph: 'M4 3.5h8v3H4zM2 10h5v3H2zM9 10h5v3H9zM8 6.5v2M4.5 10V8.5h7V10',
  gallery: 'M2.5 3h4.5v4H2.5zM9 3h4.5v4H9zM2.5 9h4.5v4H2.5zM9 9h4.5v4H9z',
  book: 'M8 4.5C6.5 3.3 4.5 3 2.5 3v9.5c2 0 4 .3 5.5 1.5 1.5-1.2 3.5-1.5 5.5-1.5V3c-2 0-4 .3-5.5 1.5zM8 4.5V14',
  learn: 'M8 3L1.5 6 8 9l6.5-3zM4 7.5v4c2 1.7 6 1.7 8 0v-4M14.5 6v5',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  folder: 'M2 4.5h4l1.5 1.5H14v6.5H2z',
  search: 'M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8M10 10l3.5 3.5',
  share: 'M8 10V2.5M5 5l3-3 3 3M3 9v4.5h10V9',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6L13 13M13 3l-1.4 1.4M4.4 11.6L3 13',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5z',
  command: 'M3 4h10M3 8h10M3 12h6',
  help: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.5M8 12v.5',
  stop: 'M4 4h8v8H4z',
  play: 'M5 3l8 5-8 5z',
  chevron: 'M6 4l4 4-4 4',
  fit: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  reset: 'M3 8a5 5 0 1 1 1.5 3.5M3 12V8.5h3.5',
  undo: 'M6 3L3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6',
  redo: 'M10 3l3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H10',
  copy: 'M5 5h8v8H5zM3 11V3h8',
  warn: 'M8 2l6.5 11.5h-13zM8 6.5v3.5M8 11.5v.6',
  check: 'M3 8.5l3.5 3.5L13 5',
  pin: 'M6 2.5h4l-.5 4 2.5 2.5H4l2.5-2.5zM8 9v4.5',
  steps: 'M2.5 3h4M2.5 8h7M2.5 13h4M12 10.5L14.5 8 12 5.5',
  first: 'M3.5 3v10M13 3.5L7 8l6 4.5z',
  back: 'M11.5 3.5L5 8l6.5 4.5z',
  forward: 'M4.5 3.5L11 8l-6.5 4.5z',
  last: 'M12.5 3v10M3 3.5L9 8l-6 4.5z',
  over: 'M2.5 9a5.5 5.5 0 0 1 10.5-2M13.5 3v4.2H9.3M8 11.5v.1',
  out: 'M8 10V3M5 6l3-3 3 3M3 13.5h10',
  mismatch: 'M2.5 8h5M5 5.5L7.5 8 5 10.5M10 5.5l4 5M14 5.5l-4 5',
  mismatchBack: 'M13.5 8h-5M11 5.5L8.5 8l2.5 2.5M2 5.5l4 5M6 5.5l-4 5',
  run: 'M3 3.5L9 8l-6 4.5zM12.5 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3',
  table: 'M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M6 3v10M9.8 3v10',
  download: 'M8 2.5V10M5 7.5l3 3 3-3M3 13.5h10',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 14 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
