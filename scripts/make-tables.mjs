// @ts-check
/**
 * Writes src/ops/tables: the exports of the operator files, collected by name (src/ops/operator.ts). A file takes part
 * by exporting `rules`, `DERIVATIVES`, `FORWARD`, `BATCHING`, `KERNELS`, `TRAITS` or `SCHEMAS`; scripts/make-tables.test.ts holds the tables up to date.
 * Usage: npm run tables
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'

const ops = join(root, 'src', 'ops')

/** Table → the export that it collects, its type and its title. */
const TABLES = {
  rules: { export: 'rules', type: '() => Rules', from: 'Rules', name: 'RULES', what: 'Shape rules and decompositions' },
  derivatives: {
    export: 'DERIVATIVES',
    type: 'Derivatives',
    from: 'Derivatives',
    name: 'DERIVATIVES',
    what: 'Derivatives',
  },
  forward: { export: 'FORWARD', type: 'Forwards', from: 'Forwards', name: 'FORWARD', what: 'Forward derivatives' },
  batching: { export: 'BATCHING', type: 'Batching', from: 'Batching', name: 'BATCHING', what: 'Batching rules' },
  kernels: { export: 'KERNELS', type: 'Kernels', from: 'Kernels', name: 'KERNELS', what: 'Kernels' },
  traits: { export: 'TRAITS', type: 'Traits', from: 'Traits', name: 'TRAITS', what: 'Traits' },
  schemas: {
    export: 'SCHEMAS',
    type: 'string',
    from: null,
    name: 'SCHEMAS',
    what: "Schemas of other projects' operators",
  },
}

/** Files of the types that operator.ts does not hold. @type {Record<string, string>} */
const TYPES = { Derivatives: 'derivative', Forwards: 'forward/forward_call', Batching: 'batched_call' }

/** @returns {string[]} files below src/ops that may hold operators, without extension, sorted */
function files() {
  return readdirSync(ops, { recursive: true })
    .map((name) => String(name).split(sep).join('/'))
    .filter((name) => /^[^/]+\/.+\.ts$/.test(name) && !/\.test\.ts$/.test(name) && !name.startsWith('tables/'))
    .map((name) => name.slice(0, -3))
    .sort()
}

/** @returns {Record<string, string>} each table's text, by path below src/ops */
export function tables() {
  const texts = files().map((name) => ({ name, text: readFileSync(join(ops, `${name}.ts`), 'utf8') }))
  return Object.fromEntries(
    Object.entries(TABLES).map(([table, t]) => {
      const found = texts.filter(({ text }) => new RegExp(`^export const ${t.export}\\b`, 'm').test(text))
      const imports = found.map(({ name }, i) => `import { ${t.export} as f${i} } from '../${name}'`)
      if (t.from) imports.push(`import type { ${t.from} } from '../${TYPES[t.from] ?? 'operator'}'`)
      const items = found.map((_, i) => `f${i}`)
      return [
        `tables/${table}.ts`,
        `/** ${t.what}, by file. Made by scripts/make-tables.mjs; do not edit. */\n${imports.join('\n')}\n\n` +
          `// prettier-ignore\nexport const ${t.name}: readonly (${t.type})[] = [${items.join(', ')}]\n`,
      ]
    }),
  )
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(join(ops, 'tables'), { recursive: true })
  for (const [path, text] of Object.entries(tables())) writeFileSync(join(ops, path), text)
}
