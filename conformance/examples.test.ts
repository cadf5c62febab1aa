import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { EXAMPLE_IDS, exampleWorkspace } from '../scripts/examples'
import { CaseRunner } from '../src/engine/cases'
import { nodeAssets } from '../src/python/node_assets'

const recorded = join(import.meta.dirname, 'examples')
const afterOf = (id: string): string => join(recorded, `${id}.after.txt`)

let runner: CaseRunner
beforeAll(async () => {
  runner = await CaseRunner.create(nodeAssets())
}, 60_000)

test('each recorded graph is of an example', () => {
  const ids = readdirSync(recorded).flatMap((file) => /^(.*)\.after\.txt$/.exec(file)?.[1] ?? [])
  expect(ids.filter((id) => !EXAMPLE_IDS.includes(id))).toEqual([])
})

test.each(EXAMPLE_IDS.filter((id) => existsSync(afterOf(id))))('%s leaves the graph that PyTorch leaves', (id) => {
  const { graph, shapes, files, passes, environment } = exampleWorkspace(id)
  const { register_error, passes: applied } = runner.run({
    id,
    pattern_py: '',
    files,
    graph: graph.text,
    ...(shapes && { readable: shapes.text }),
    ...(passes && { passes }),
    ...(environment && { environment }),
  })
  expect(register_error).toBeNull()
  expect(applied.at(-1)?.graph_after).toBe(readFileSync(afterOf(id), 'utf8').trimEnd())
})
