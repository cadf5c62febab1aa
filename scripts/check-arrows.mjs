// @ts-check
/**
 * Checks the structure of src/: the direction of imports, import cycles, stale allowances, and the size of folders and
 * files. dependency-cruiser could check the imports, but it reads TypeScript through the compiler's JavaScript API,
 * which TypeScript 7 does not have. oxlint checks the length of functions and signatures (.oxlintrc.json).
 *
 *   node scripts/check-arrows.mjs            every rule; exit status 1 if a rule has a fault
 *   node scripts/check-arrows.mjs cycles     one rule
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as rules from './arrows/rules.mjs'
import { readPython, readSources } from './arrows/sources.mjs'
import { root } from './lib.mjs'

/** @typedef {{ id: string, title: string, check: (sources: import('./arrows/sources.mjs').Source[]) => string[] }} Rule */

/** @type {readonly Rule[]} */
export const RULES = [
  { id: 'arrows', title: 'imports against the arrows', check: rules.arrows },
  { id: 'cycles', title: 'import cycles', check: rules.cycles },
  { id: 'python-cycles', title: 'import cycles of Python files', check: rules.pythonCycles },
  {
    id: 'features',
    title: 'edges between features that the table lacks',
    check: (s) => rules.features(s),
  },
  { id: 'contracts', title: 'imports of features by what is below them', check: rules.contracts },
  { id: 'stale', title: 'stale allowances', check: (s) => rules.stale(s) },
  { id: 'folders', title: 'crowded folders', check: rules.folders },
  { id: 'variables', title: 'variables of modules that the table lacks', check: (s) => rules.variables(s) },
  { id: 'lengths', title: 'long files', check: rules.lengths },
]

/** @param {readonly string[]} wanted ids of rules; empty: all @returns {boolean} true if no rule has a fault */
export function checkStructure(wanted = []) {
  const sources = [...readSources(join(root, 'src')), ...readPython(join(root, 'src'))]
  let good = true
  for (const { id, title, check } of RULES) {
    if (wanted.length > 0 && !wanted.includes(id)) continue
    const faults = check(sources)
    if (faults.length === 0) continue
    good = false
    console.error([`${faults.length} ${title}:`, ...faults].join('\n  '))
  }
  console.log(`${sources.length} files, ${good ? 'no faults' : 'see the faults above'}.`)
  return good
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wanted = process.argv.slice(2)
  const unknown = wanted.find((id) => !RULES.some((rule) => rule.id === id))
  if (unknown) {
    console.error(`There is no rule ${unknown}; there are ${RULES.map((rule) => rule.id).join(', ')}.`)
    process.exit(2)
  }
  process.exit(checkStructure(wanted) ? 0 : 1)
}
