/** The hostile corpus as tables for docs/security.md, from the lists that the tests run. */
import { PAGE_PLACES } from '../../e2e/injections/places'
import { HOSTILE_KERNELS } from '../../src/gpu/testing/hostile/kernels'
import { DENIALS, FILES_OF_ONE_RUN } from '../../src/python/testing/hostile/denials'
import { ESCAPES } from '../../src/python/testing/hostile/escapes'
import { PATCHES, SHADOWING } from '../../src/python/testing/hostile/patches'
import { ATTEMPTS, GROUPS, type Attempt } from './attempts'
import { TEXT_PLACES } from './text_places'
import { LINKS as LINK_FUZZ } from '../../conformance/read_fuzz/links'
import { TEXTS } from '../../conformance/read_fuzz/texts'

export const BEGIN =
  '<!-- The corpus: scripts/security/table.ts writes it (npx vitest run scripts/security with FUSESCOPE_WRITE=1). -->'
export const END = '<!-- The end of the corpus. -->'

/** Text as a code span in a cell. */
function cell(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ⏎ ').replaceAll('|', '\\|')
  const short = line.length > 90 ? `${line.slice(0, 90)} …` : line
  const fence = short.includes('`') ? '``' : '`'
  return `${fence}${short.replaceAll('``', '` `')}${fence}`
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((r) => `| ${r.join(' | ')} |`).join('\n')

const ended = (ends: RegExp | null): string => (ends === null ? 'runs' : cell(ends.source.replace(/^\^/, '')))

const many = ({ seeds, each }: typeof TEXTS): string => (seeds.length * each).toLocaleString('en')

const LINKS: readonly (readonly [string, string, string])[] = [
  [
    `${many(LINK_FUZZ)} links and files with changed, removed, doubled and swapped characters and bytes of each class`,
    'opens as itself, or is refused with one sentence',
    '`conformance/read_fuzz/links.test.ts`',
  ],
  [
    'a link of 33 MB, a bomb of deflate, a checksum over nothing, a future version',
    'is refused with one sentence',
    '`conformance/read_fuzz/links.test.ts`, `src/workspace/workspace.test.ts`',
  ],
  [
    `${many(TEXTS)} mutated graph texts`,
    'no crash, and no node lost without a problem',
    '`conformance/read_fuzz/texts.test.ts`',
  ],
  [
    'lines of 20 and 100 MB, a million nodes, 100,000 nested brackets',
    'a problem with its line; the page answers',
    '`src/fx/readers/hostile.test.ts`, `e2e/hostile.spec.ts`',
  ],
]

export const COUNTS = {
  snippets: ESCAPES.length + PATCHES.length + SHADOWING.length,
  denials: DENIALS.length,
  kernels: HOSTILE_KERNELS.length,
  places: Object.keys(PAGE_PLACES).length + TEXT_PLACES.length,
}

const codes = (files: readonly string[]): string => files.map((f) => `\`${f}\``).join(', ')

const filesOf = ({ test }: Attempt): string[] =>
  typeof test === 'string' ? [] : [...new Set(test.map(([file]) => file))]

const singles = {
  what: 'single attempts, below',
  tried: ATTEMPTS.length,
  mended: ATTEMPTS.filter((a) => a.outcome === 'mended').length,
  tests: ['scripts/security/security.test.ts'],
}

/** One table of all attacks would exceed the length limit of the documentation's paragraphs. */
const ROWS = 24
const attemptsTable = (attempts: readonly Attempt[]): string =>
  table(
    ['tried', '', 'seen', 'test'],
    attempts.map((a) => [a.tried, a.outcome, a.seen, typeof a.test === 'string' ? a.test : codes(filesOf(a))]),
  )

export const corpusText = (): string => `${BEGIN}

### ${COUNTS.snippets} Python snippets

None gains an object of JavaScript, memory, a file of the host, a process or a connection (\`escapes.ts\`), and none changes a later run
(\`patches.ts\`).

${table(
  ['snippet', 'without the box'],
  ESCAPES.map((e) => [cell(e.name), e.open ? 'succeeds' : '']),
)}

${table(
  ['patch of a run', 'its own run'],
  [
    ...PATCHES.map(([code, failure]) => [cell(code), ended(failure)]),
    ...SHADOWING.map((name) => [`a file called ${cell(name)}`, 'runs']),
  ],
)}

### ${COUNTS.denials} denials of service

${table(
  ['code', 'ends', 'in a browser too'],
  DENIALS.map((d) => [
    cell(d.code),
    ended(d.ends),
    d.browser ? 'alone' : FILES_OF_ONE_RUN.includes(d) ? 'as a file of one run' : '',
  ]),
)}

### ${COUNTS.kernels} kernels

${table(
  ['kernel', 'ends'],
  HOSTILE_KERNELS.map((k) => [k.name, ended(k.ends)]),
)}

### ${COUNTS.places} places of injection

The first ${Object.keys(PAGE_PLACES).length} are read in a browser (\`e2e/injections.spec.ts\`), the others by \`scripts/security/security.test.ts\`.

${table(
  ['text of', 'reaches'],
  [...Object.values(PAGE_PLACES), ...TEXT_PLACES].map(({ from, into }) => [from, into]),
)}

### Links and files

${table(['input', 'outcome', 'test'], LINKS)}

### Attempts

Each row counts the entries of a list that its tests run; mended are those that gained something once.

${table(
  ['tried', 'number', 'held', 'mended', 'tests'],
  [...GROUPS, singles].map((g) => [
    g.what,
    ...[g.tried, g.tried - g.mended, g.mended].map((n) => n.toLocaleString('en')),
    codes(g.tests),
  ]),
)}

${Array.from({ length: Math.ceil(ATTEMPTS.length / ROWS) }, (_, i) => attemptsTable(ATTEMPTS.slice(i * ROWS, (i + 1) * ROWS))).join('\n\n')}

${END}`
