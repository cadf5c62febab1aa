import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Input } from './api'
import { openSession } from './index'

const example = (name: string): string => readFileSync(`public/examples/rms-norm-int8/${name}`, 'utf8')

it('answers for the newest input, and says in a sentence what cannot be used', async () => {
  const session = await openSession({
    graph: example('fx_graph_readable.py'),
    files: { 'fusion.py': example('fusion.py') },
  })
  const { nodes, problems } = await session.read()
  expect([nodes.at(-1)?.op, problems]).toEqual(['output', []])
  const [pass] = (await session.match()).passes
  expect([pass?.count, pass?.patterns[0]?.source?.file, pass?.matches[0]?.nodes.length]).toEqual([1, 'fusion.py', 5])
  expect(await session.explain()).toEqual([])

  await session.change({ graph: 'graph():\n    what is this\n' })
  expect((await session.read()).problems[0]).toMatchObject({ file: 'graph', line: 2 })
  await session.change({ files: { 'p.py': 'print("heard")\nraise ValueError("no")\n' } })
  expect(await session.match()).toMatchObject({ passes: [], error: 'ValueError: no', console: ['heard'] })
  await expect(session.print({ which: 'after' })).rejects.toThrow('There is no graph after the passes: ValueError: no')

  const wrong = { graph: 1, files: {} } as unknown as Input
  await expect(openSession(wrong)).rejects.toThrow(/^This input cannot be used: graph\.text: /)
})
