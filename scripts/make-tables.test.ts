import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib.mjs'
import { tables } from './make-tables.mjs'

test.each(Object.entries(tables()))('src/ops/%s holds the exports of the operator files', (path, text) => {
  expect(readFileSync(join(root, 'src/ops', path), 'utf8'), 'run `npm run tables`').toBe(text)
})
