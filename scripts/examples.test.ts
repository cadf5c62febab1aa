import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { SYSTEMS } from '../src/app/model/examples'
import { CaseRunner } from '../src/engine/cases'
import { createSession, type Session } from '../src/engine/session'
import { nodeAssets } from '../src/python/node_assets'
import { encodeSnapshot, workspaceSchema } from '../src/workspace'
import { aboutOf, EXAMPLE_IDS, exampleIndex, examplesDir, exampleWorkspace, stableReport } from './examples'
import { root } from './lib.mjs'

const stored = (path: string): unknown => JSON.parse(readFileSync(join(examplesDir, path), 'utf8'))

describe('the examples', () => {
  it('are all listed (else: npm run examples)', () => {
    const folders = readdirSync(examplesDir, { withFileTypes: true }).filter((e) => e.isDirectory())
    expect([...EXAMPLE_IDS].sort()).toEqual(folders.map((e) => e.name).sort())
    expect(stored('index.json')).toEqual(exampleIndex())
    for (const { description } of exampleIndex()) expect(description.split('\n')).toHaveLength(2)
  })

  it('stand by system, each in a place of its own, and every system has one', () => {
    const abouts = EXAMPLE_IDS.map(aboutOf)
    expect(new Set(abouts.map((a) => a.order)).size).toBe(abouts.length)
    expect(abouts.map((a) => a.system).filter((s, i, all) => s !== all[i - 1])).toEqual(SYSTEMS)
  })

  it.each(EXAMPLE_IDS)('%s is what its files make (else: npm run examples)', (id) => {
    const workspace = stored(`${id}/workspace.json`)
    expect(workspace).toEqual(exampleWorkspace(id))
    expect(workspaceSchema.safeParse(workspace).success).toBe(true)
  })

  it.each(EXAMPLE_IDS)('%s fits into a link that every browser keeps', async (id) => {
    const link = await encodeSnapshot({
      v: 1,
      workspace: exampleWorkspace(id),
      view: { selection: null, mode: 'before', panel: 'matches', openFile: '' },
      summary: null,
    })
    expect(link.length).toBeLessThan(65_536)
  })
})

describe('the engine, on the examples', () => {
  let session: Session
  let runner: CaseRunner
  beforeAll(async () => {
    session = createSession(nodeAssets())
    runner = await CaseRunner.create(nodeAssets())
    await session.ready
  })

  it.each(EXAMPLE_IDS)('%s gives the stored report (else: npm run examples)', (id) => {
    const { report } = session.analyzeWhole(exampleWorkspace(id))
    expect(JSON.parse(JSON.stringify(stableReport(report)))).toEqual(stored(`${id}/report.json`))
  })

  // Recorded by conformance/examples/record.py.
  it.each([
    { id: 'silu-mul-block-quant', entries: 18, count: 32, fired: { 4: 32 }, attempts: 3072 },
    { id: 'rms-norm-int8', entries: 1, count: 1, fired: { 0: 1 }, attempts: 3 },
    { id: 'ascend-add-rms-norm-mx-quant', entries: 2, count: 16, fired: { 1: 16 }, attempts: 134 },
    { id: 'sglang-fused-swiglu', entries: 1, count: 12, fired: { 0: 12 }, attempts: 24 },
  ])('$id does what PyTorch did, to the byte', ({ id, entries, count, fired, attempts }) => {
    const { graph, shapes, files, passes, environment } = exampleWorkspace(id)
    const output = runner.run({
      id,
      pattern_py: '',
      files,
      graph: graph.text,
      ...(shapes && { readable: shapes.text }),
      ...(passes && { passes }),
      ...(environment && { environment }),
    })
    const [pass] = output.passes
    expect(output.register_error).toBeNull()
    expect(pass).toMatchObject({ pass: 'patterns', count })
    expect(pass?.entries).toHaveLength(entries)
    expect(pass?.attempts).toHaveLength(attempts)
    const byEntry: Record<number, number> = {}
    for (const a of pass?.attempts ?? [])
      if (a.ok && a.phase === 'specific') byEntry[a.entry] = (byEntry[a.entry] ?? 0) + 1
    expect(byEntry).toEqual(fired)
    const after = readFileSync(join(root, `conformance/examples/${id}.after.txt`), 'utf8').trimEnd()
    expect(pass?.graph_after).toBe(after)
  })
})
