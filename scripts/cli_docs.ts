/**
 * The generated parts of docs/: in cli.md the commands and options, between the headings "Commands" and "Exit status", from the
 * table that `fusescope help` reads; in causes.md the facts of each kind, from the table by which causes get their kind. `npx tsx
 * scripts/cli_docs.ts` writes them; scripts/docs.test.ts compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, type OptionSpec } from '../src/cli/commands'
import { factsOf, ORDER, type CauseKind } from '../src/explain/kinds'
import { root } from './lib.mjs'

const PAGE = join(root, 'docs', 'cli.md')
const CAUSES = join(root, 'docs', 'causes.md')
const PART = /(?<=\n## Commands\n\n)[\s\S]*?(?=\n## Exit status\n)/

/** In a cell of a table: `|` ends it, `<` begins HTML. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<')

const option = ([name, { kind, value, help }]: [string, OptionSpec]): string =>
  `| \`--${name}${value === undefined ? '' : ` ${value.replaceAll('|', '\\|')}`}${kind === 'many' ? '…' : ''}\` | ${cell(help)} |`

/** The commands with their usage and options, as Markdown. */
export function commandSections(): string {
  return Object.entries(COMMANDS)
    .map(([name, { summary, usage, details, options }]) => {
      const rows = Object.entries(options).map(option)
      return [
        `### ${name}\n`,
        `${summary[0]!.toUpperCase()}${summary.slice(1)}.${details.length > 0 ? ` ${details.join(' ').replaceAll('<', '\\<')}` : ''}\n`,
        `\`\`\`\n${usage.map((line) => `npm run -s fusescope -- ${line}`).join('\n')}\n\`\`\`\n`,
        ...(rows.length > 0 ? [`| option | meaning |\n| --- | --- |\n${rows.join('\n')}\n`] : []),
      ].join('\n')
    })
    .join('\n')
}

export const writtenSections = (): string => PART.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? ''

const KIND = new RegExp(`\`(${ORDER.join('|')})\``, 'g')

/** The page of causes: the file's text, and the expected text. */
export function causesPage(): { written: string; made: string } {
  const written = readFileSync(CAUSES, 'utf8')
  const made = written.replace(/(?<=\n)(\| `[^|]*\|[^|]*\|)[^|\n]*\|(?=\n)/g, (row, start: string) => {
    const kinds = [...start.split('|')[1]!.matchAll(KIND)].map(([, kind]) => kind as CauseKind)
    const facts = kinds.flatMap(factsOf).map((fact) => `\`${fact}\``)
    return kinds.length === 0 ? row : `${start} ${[...new Set(facts)].join(', ')} |`
  })
  return { written, made }
}

if (process.argv[1]?.endsWith('cli_docs.ts')) {
  const page = readFileSync(PAGE, 'utf8')
  writeFileSync(
    PAGE,
    page.replace(PART, () => commandSections()),
  )
  writeFileSync(CAUSES, causesPage().made)
}
