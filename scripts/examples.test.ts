import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { SYSTEMS } from '../src/app/examples/catalog'
import { matchCase, type CaseOutput } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { createSession, type Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { workspaceSchema } from '../src/workspace'
import { decodeSnapshot, decodeWithBase, encodeSnapshot, readBase } from '../src/workspace/link'
import {
  aboutOf,
  basesDir,
  EXAMPLE_IDS,
  exampleIndex,
  examplesDir,
  exampleSnapshot,
  exampleWorkspace,
  stableReport,
} from './examples'
import { root } from './lib.mjs'

const stored = (path: string): unknown => JSON.parse(readFileSync(join(examplesDir, path), 'utf8'))

describe('the examples', () => {
  it('are all listed (else: npm run examples)', () => {
    const folders = readdirSync(examplesDir, { withFileTypes: true }).filter((e) => e.isDirectory())
    expect([...EXAMPLE_IDS].sort()).toEqual(folders.map((e) => e.name).sort())
    expect(stored('index.json')).toEqual(exampleIndex())
    for (const { description } of exampleIndex()) expect(description.split('\n')).toHaveLength(2)
  })

  it('are ordered by system, with distinct orders, and every system has one', () => {
    const abouts = EXAMPLE_IDS.map(aboutOf)
    expect(new Set(abouts.map((a) => a.order)).size).toBe(abouts.length)
    expect(abouts.map((a) => a.system).filter((s, i, all) => s !== all[i - 1])).toEqual(SYSTEMS)
  })

  it.each(EXAMPLE_IDS)('%s is up to date with its files (else: npm run examples)', (id) => {
    const workspace = stored(`${id}/workspace.json`)
    expect(workspace).toEqual(exampleWorkspace(id))
    expect(workspaceSchema.safeParse(workspace).success).toBe(true)
  })

  const baseText = (hash: string) => readFileSync(join(basesDir, `${hash}.txt`), 'utf8')
  const loadBase = async (hash: string) => readBase(baseText(hash), hash)

  it.each(exampleIndex())('$id is the base of its links (else: npm run examples)', async ({ id, base: hash }) => {
    const snapshot = exampleSnapshot(id)
    expect(await decodeSnapshot(baseText(hash))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(snapshot)) })
    const base = (await loadBase(hash))!
    expect((await encodeSnapshot(snapshot, base)).length).toBeLessThan(100)

    const [first, ...files] = snapshot.workspace.files
    const lines = first!.text.split('\n')
    lines.splice(Math.floor(lines.length / 2), 1, '    scale = x.abs().amax(dim=-1, keepdim=True) / 448.0')
    const changed = {
      ...snapshot,
      workspace: { ...snapshot.workspace, files: [{ ...first!, text: lines.join('\n') }, ...files] },
    }
    const link = await encodeSnapshot(changed, base)
    expect(link.length).toBeLessThan(400)
    const decoded = await decodeWithBase(link, 'link', loadBase)
    expect(decoded.ok && decoded.value.snapshot).toEqual(JSON.parse(JSON.stringify(changed)))
  })

  it('keep every base that a link may build on', async () => {
    const hashes = readdirSync(basesDir).flatMap((name) => /^([0-9a-f]{12})\.txt$/.exec(name)?.[1] ?? [])
    expect(hashes).toEqual(expect.arrayContaining(exampleIndex().map((e) => e.base)))
    for (const hash of hashes) expect(await loadBase(hash), hash).not.toBeNull()
  })
})

describe('the engine, on the examples', () => {
  let session: Session
  let interpreter: Interpreter
  beforeAll(async () => {
    session = createSession(nodeAssets())
    interpreter = await Interpreter.start(nodeAssets())
    await session.ready
  })

  it.each(EXAMPLE_IDS)('%s gives the stored report (else: npm run examples)', (id) => {
    const { report } = session.analyzeWhole(exampleWorkspace(id))
    expect(JSON.parse(JSON.stringify(stableReport(report)))).toEqual(stored(`${id}/report.json`))
  })

  const outcomes = new Map<string, CaseOutput>()
  const outcome = (id: string) => {
    const { graph, shapes, files, passes, environment } = exampleWorkspace(id)
    const output =
      outcomes.get(id) ??
      matchCase(interpreter, {
        id,
        pattern_py: '',
        files,
        graph: graph.text,
        ...(shapes && { readable: shapes.text }),
        ...(passes && { passes }),
        ...(environment && { environment }),
      })
    outcomes.set(id, output)
    expect(output.register_error).toBeNull()
    return output.passes
  }

  // Printed by conformance/examples/record.py and record_sglang.py: entries, count and attempts of each pass.
  it.each([
    { id: 'silu-mul-block-quant', passes: [[18, 32, 3072]], fired: { 4: 32 } },
    { id: 'rms-norm-int8', passes: [[1, 1, 3]], fired: { 0: 1 } },
    { id: 'ascend-add-rms-norm-mx-quant', passes: [[2, 16, 134]], fired: { 1: 16 } },
    { id: 'ascend-streams', passes: [[2, 2, 28]], fired: { 0: 2, 1: 2 } },
    { id: 'sglang-fused-swiglu', passes: [[1, 12, 24]], fired: { 0: 12 } },
    { id: 'sglang-silu-and-mul', passes: [[1, 7, 15]], fired: { 0: 7 } },
    { id: 'sglang-silu-mul-quant-fp8', passes: [[1, 7, 16]], fired: { 0: 7 } },
    { id: 'sglang-up-proj-quant-fp8', passes: [[1, 6, 26]], fired: { 0: 6 } },
    { id: 'sglang-fused-moe', passes: [[1, 4, 8]], fired: { 0: 4 } },
    { id: 'sglang-attention-quant-fp8', passes: [[1, 7, 40]], fired: { 0: 7 } },
    { id: 'sglang-rms-norm-quant-fp8', passes: [[2, 12, 46]], fired: { 0: 6, 1: 6 } },
    // An extra_check rejects four of the eight.
    { id: 'sglang-all-reduce-rms-norm', passes: [[1, 4, 24]], fired: { 0: 8 } },
    {
      id: 'sglang-all-reduce-rms-norm-quant',
      passes: [
        [1, 4, 12],
        [1, 2, 14],
      ],
      fired: { 0: 4 },
    },
  ])('$id fires as often as in PyTorch, with as many attempts', ({ id, passes, fired }) => {
    const found = outcome(id)
    expect(found.map((p) => [p.entries.length, p.count, p.attempts.length])).toEqual(passes)
    const byEntry: Record<number, number> = {}
    for (const a of found[0]!.attempts)
      if (a.ok && a.phase === 'specific') byEntry[a.entry] = (byEntry[a.entry] ?? 0) + 1
    expect(byEntry).toEqual(fired)
  })

  const recorded = join(root, 'conformance/examples')
  const RECORDED = readdirSync(recorded).flatMap((file) => /^(.*)\.after\.txt$/.exec(file)?.[1] ?? [])
  it.each(RECORDED)('%s produces the same graph as PyTorch, to the byte', (id) => {
    const after = readFileSync(join(recorded, `${id}.after.txt`), 'utf8').trimEnd()
    expect(outcome(id).at(-1)?.graph_after).toBe(after)
  })
})
