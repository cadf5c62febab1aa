/** The hostile corpus as tables for docs/security.md, from the lists that the tests run. */
import { PAGE_PLACES } from '../../e2e/injections/places'
import { HOSTILE_KERNELS } from '../../src/gpu/user_kernels/hostile/kernels'
import { DENIALS, FILES_OF_ONE_RUN } from '../../src/python/hostile/denials'
import { ESCAPES } from '../../src/python/hostile/escapes'
import { PATCHES, SHADOWING } from '../../src/python/hostile/patches'
import { TEXT_PLACES } from './text_places'

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

const LINKS: readonly (readonly [string, string, string])[] = [
  [
    '5,000 links and files with changed, removed, doubled and swapped characters and bytes of each class',
    'opens as itself, or is refused with one sentence',
    '`conformance/read_fuzz/links.test.ts`',
  ],
  [
    'a link of 33 MB, a bomb of deflate, a checksum over nothing, a future version',
    'is refused with one sentence',
    '`conformance/read_fuzz/links.test.ts`, `src/workspace/workspace.test.ts`',
  ],
  [
    '20,000 mutated graph texts',
    'no crash, and no node lost without a problem',
    '`conformance/read_fuzz/texts.test.ts`',
  ],
  [
    'lines of 20 and 100 MB, a million nodes, 100,000 nested brackets',
    'a problem with its line; the page answers',
    '`src/fx/readers/hostile.test.ts`, `e2e/hostile.spec.ts`',
  ],
]

/** Attacks on what stands outside the box. A figure without a test has the command that printed it. */
const ATTEMPTS: readonly (readonly [tried: string, outcome: string, test: string])[] = [
  [
    '100,000 mutated graphs, captures, printed patterns, selections and lessons (`npx tsx scripts/security/exports/main.ts --count=100000 --seed=20261126`): 103,608 Python files, whose trees are compared with the allowed forms',
    'held: no file has another form. Mended: empty traces, indented patterns, ints of 5,000 digits, methods of numbers and nodes that are read above their line were no Python that runs',
    '`scripts/security/exports/exports.test.ts` (100 of them)',
  ],
  [
    '265 of such files, run on PyTorch 2.14.1 (`main.ts --count=240 --seed=99 --sample=FOLDER`, `run_sample.py FOLDER`)',
    'held: none wrote a file outside its own temporary folder, started a process or opened a socket',
    'by hand',
  ],
  [
    'a site swaps the address of a window that it opened, under a press of Run',
    'mended: it has lost the window; on a host without headers no press counts there',
    '`e2e/consent.spec.ts`, `src/app/session/consent.test.ts`',
  ],
  [
    'a link, a file of `?from=` or a lesson with the 32-bit hash of another',
    'mended: it neither opens nor replaces the other, nor has its consent',
    '`src/app/features/share/identity.test.ts`, `src/app/features/lessons/own/open_files.test.ts`',
  ],
  [
    'two graphs with one 53-bit hash, which a search of 13 s on one core found: one drawn, counted or kept for the other',
    'mended: graphs, code and views are kept by SHA-256',
    '`src/engine/cases/graph_key.test.ts`',
  ],
  [
    'a lesson of 80 kB of `_a__`, which took 12 s, and 3,000 `>`, which overflowed the stack',
    'mended: both are refused at once; the slowest 80 kB within the limits took 0.64 s',
    '`src/app/markdown/read_markdown.test.ts`',
  ],
  [
    '`npm run lessons -- PATH` of a lesson that does not end, links to a file of its reader, or has a name that a terminal obeys',
    'mended: it plays in the box of the command line, with its limits of time and memory',
    '`scripts/play-lessons.test.ts`',
  ],
  [
    '`npm start` with 200 clients that send half a request and 50 that read nothing, nine names in `Host`, seven paths out of the folder',
    'held: a good client is answered in 0.1 s; names of other hosts get 421, the paths 404',
    'by hand; `scripts/serve.test.ts`',
  ],
  [
    '300 workspaces in the library; a database without its tables; 61,000 characters pasted into the editor',
    'held: the list opens in 0.3 s; a notice says that nothing is stored; the page’s longest pause is 0.25 s',
    'by hand',
  ],
  [
    'the recorder told to write over a link to another file',
    'held: it replaces recordings only, and says so',
    'by hand, on PyTorch 2.14.1',
  ],
  [
    'a host of `?from=` that sends nothing, is slow, or sends a byte now and then',
    'mended: the page said “The loader did not start” of a host that answers after 30 s; it waits 5 min now',
    '`src/app/features/open_files/loader.test.ts`',
  ],
  [
    'a pass whose `apply` or `__call__` is overridden and returns 999, in a file, on the object or on PyTorch’s class',
    'mended: its code runs, its result counts nothing, and the stage, `match` and an export say so',
    '`src/engine/pipeline/override.test.ts`',
  ],
  [
    'addresses such as `https://[` in a class page; rows and journal entries of other types; a database of a later version',
    'mended: refused, listed as damaged, left in the journal, opened read-only',
    '`src/workspace/class_page.test.ts`, `src/workspace/library/library.test.ts`, `e2e/damaged_storage.spec.ts`',
  ],
]

export const COUNTS = {
  snippets: ESCAPES.length + PATCHES.length + SHADOWING.length,
  denials: DENIALS.length,
  kernels: HOSTILE_KERNELS.length,
  places: Object.keys(PAGE_PLACES).length + TEXT_PLACES.length,
}

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

### Outside the box

${table(['tried', 'outcome', 'test'], ATTEMPTS)}

${END}`
