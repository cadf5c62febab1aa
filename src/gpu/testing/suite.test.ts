import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runSuite, type SuiteData } from './suite'
import { referenceDevice } from '../device/op_device'

const root = new URL('../../../conformance/golden/', import.meta.url)

function loadSuiteData(): SuiteData {
  const conversions = Object.fromEntries(
    readdirSync(new URL('conversions/', root)).map((f) => [
      f.replace('.bin', ''),
      new Uint8Array(readFileSync(new URL(`conversions/${f}`, root))),
    ]),
  )
  const files = readdirSync(root)
    .filter((f) => f.endsWith('.json'))
    .map((f) => JSON.parse(readFileSync(new URL(f, root), 'utf8')) as Partial<SuiteData>)
  return {
    cases: files.flatMap((f) => f.cases ?? []),
    programs: files.flatMap((f) => f.programs ?? []),
    conversions,
  }
}

it('the reference device reproduces PyTorch on every recorded conversion and operator', async () => {
  const data = loadSuiteData()
  const results = await runSuite([referenceDevice], data)
  expect(results.filter((r) => !r.ok)).toEqual([])
  // 11 conversion tables, and every recorded case and program: none is skipped.
  expect(results.length).toBe(11 + data.cases.length + data.programs.length)
})
