/** Real texts that the fuzzer mutates: recorded dumps, recorded graphs and the graphs of the examples. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = new URL('../..', import.meta.url).pathname

/** Folders, and their files that contain texts of graphs. */
const FOLDERS: readonly (readonly [folder: string, files: RegExp])[] = [
  // Most lines of Inductor's debug log belong to programs.
  ['conformance/dumps/texts', /^(?!log\.inductor_debug).*\.txt$/],
  ['conformance/dumps/pt2', /\.txt$/],
  ['conformance/dumps/trace', /\.log$/],
  ['conformance/graphs', /\.txt$/],
  ['conformance/examples', /\.txt$/],
  ['public/examples', /(?:graph\.txt|_readable\.py|graphs\/[^/]+\.txt)$/],
]
/** Texts as long as a model's are left out: an excerpt of one contains nothing new beside smaller texts. */
const MAX_BYTES = 250_000
/** An excerpt: the first and the last lines of a long text. */
const [HEAD, TAIL] = [40, 20]

export interface CorpusText {
  name: string
  text: string
}

/** All texts, long ones as excerpts, in the order of their names. */
export function corpus(): CorpusText[] {
  return FOLDERS.flatMap(([folder, files]) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => files.test(file))
      .sort()
      .flatMap((file) => {
        const text = readFileSync(join(root, folder, file), 'utf8')
        return text.length > MAX_BYTES ? [] : [{ name: `${folder}/${file}`, text: excerptOf(text) }]
      }),
  )
}

function excerptOf(text: string): string {
  const lines = text.split('\n')
  return lines.length <= HEAD + TAIL ? text : [...lines.slice(0, HEAD), ...lines.slice(-TAIL)].join('\n')
}
