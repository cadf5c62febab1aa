import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const src = new URL('..', import.meta.url).pathname

/** Rule numbers cited in the titles of the tests below `src`. */
function citedRules(): Set<string> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.test.ts'))
  const titles = files.flatMap((f) =>
    [
      ...readFileSync(join(src, f), 'utf8').matchAll(
        /(?:it|describe|test)(?:\.each\([\s\S]*?\]\))?\(\s*'((?:M\d+ )*M\d+):/g,
      ),
    ].map((m) => m[1]!),
  )
  return new Set(titles.flatMap((t) => t.split(' ')))
}

it('every rule of SPEC.md has a test, and every rule that a test cites exists', () => {
  const spec = readFileSync(join(src, 'matcher', 'SPEC.md'), 'utf8')
  const rules = [...spec.matchAll(/^\*\*(M\d+)\./gm)].map((m) => m[1]!)
  expect(rules).toEqual(rules.map((_, i) => `M${i + 1}`))
  expect([...citedRules()].sort()).toEqual([...rules].sort())
})
