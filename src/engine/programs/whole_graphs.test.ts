/** The whole graph of each example, before and after its passes, on the reference device. */
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { runGraph } from '../../gpu/run/run_graph'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import { createSession, type Session } from '../session/session'

const EXAMPLES = new URL('../../../public/examples/', import.meta.url)

/** Examples whose verdict is not that the rewrite preserved the results. */
const OTHERWISE: Readonly<Record<string, RegExp>> = {
  // The pattern's scales are powers of two (ue8m0), those of the fused kernel are not.
  'vllm-block-quant-variants': /Not equal/,
  // Its pattern calls functions of a user module.
  'inductor-graph-patterns': /^Cannot run: no kernel for python:/,
}
/** More than a thousand nodes: takes minutes on a CPU. Its matches run in e2e/run.spec.ts. */
const TOO_LARGE = new Set(['silu-mul-block-quant'])

const ids = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((e) => e.isDirectory() && !TOO_LARGE.has(e.name))
  .map((e) => e.name)

describe('the whole graph of', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  it.each(ids)('%s has the right verdict', { timeout: 120_000 }, async (id) => {
    session.analyze(JSON.parse(readFileSync(new URL(`${id}/workspace.json`, EXAMPLES), 'utf8')) as Workspace)
    const options = { device: 'reference', tokens: 4 } as const
    const { verdict, problems } = await runGraph(
      session.graphProgram(),
      options,
      () => undefined,
      new AbortController().signal,
    )
    expect(verdict.sentence, problems.join(' ')).toMatch(OTHERWISE[id] ?? /this rewrite kept the meaning/)
  })
})
