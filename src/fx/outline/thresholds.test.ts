import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('have the values that the page of thresholds gives', () => {
  const folder = 'src/fx/outline'
  const sources = readdirSync(folder).filter((f) => f.endsWith('.ts') && !f.includes('.test.'))
  const code = sources.map((f) => readFileSync(`${folder}/${f}`, 'utf8')).join('\n')
  const rows = [...readFileSync(`${folder}/README.md`, 'utf8').matchAll(/^\| `(\w+)` +\| (.+?) +\|/gm)]
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter(([, name, value]) => !code.includes(`const ${name} = ${value}\n`)).map(([row]) => row)).toEqual([])
})
