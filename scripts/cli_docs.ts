/**
 * The commands and options of docs/cli.md, from the table that `fusescope help` reads. `npx tsx scripts/cli_docs.ts` writes them
 * between the page's headings "Commands" and "Exit status"; scripts/docs.test.ts compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, type OptionSpec } from '../src/cli/commands'
import { root } from './lib.mjs'

const PAGE = join(root, 'docs', 'cli.md')
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

if (process.argv[1]?.endsWith('cli_docs.ts'))
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(PART, () => commandSections()),
  )
