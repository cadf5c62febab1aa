import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../scripts/examples'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import type { PipelineStage } from '../pipeline/types'
import type { Report } from '../protocol'
import { createSession, type Session } from '../session/session'
import { reportMover } from './moved_report'
import { movedLines } from './same_code'

describe('texts', () => {
  const CODE = 'def f(\n    x,\n):\n    """a # b\n\n    c"""\n    return f"{x[\'#\']}" + \\\n        "#"\n'

  it.each([
    ['a comment', CODE.replace('x,', 'x,  # the input'), [1, 2, 3, 4, 5, 6, 7, 8]],
    ['blank lines', CODE.replace('\n    x', '\n\n  # x\n    x'), [1, 4, 5, 6, 7, 8, 9, 10]],
    ['a last comment, blanks', `${CODE.replace('):', '):  ')}\n#`, [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('%s', (_, text, lines) => {
    expect([...movedLines(CODE, text)!.values()]).toEqual(lines)
    expect([...movedLines(text, CODE)!.keys()]).toEqual(lines)
  })

  it.each([
    ['a blank line in a string', CODE.replace('b\n', 'b\n\n')],
    ['a comment in a string', CODE.replace('# b', '# d')],
    ['blanks in a string', CODE.replace('# b', '# b ')],
    ['another field', CODE.replace("'#'", "'#a'")],
    ['a line after a backslash', CODE.replace('\\\n', '\\\n\n')],
    ['an indent', CODE.replace('    return', '  return')],
    ['code', CODE.replace('x,', 'y,')],
    ['a space within a line', CODE.replace('def f(', 'def f (')],
    ['a blank that Python refuses', CODE.replace('x,', 'x,\u00a0')],
    ['a print', `${CODE}print(1)\n`],
    ['a string that does not end', `${CODE}'\n`],
    ['a formatted string of several lines', `${CODE}f"""\n"""\n`],
  ])('%s is other code', (_, text) => {
    expect(movedLines(CODE, text)).toBeNull()
    expect(movedLines(text, CODE)).toBeNull()
  })
})

/** The workspace with another text of its Python files. */
const edited = (workspace: Workspace, edit: (text: string) => string): Workspace => ({
  ...workspace,
  files: workspace.files.map((file) => ({ ...file, text: edit(file.text) })),
})

const EDITS: Record<string, (text: string) => string> = {
  'a comment that grows': (text) => text.replace(/^((?:from|import) .*)$/m, '$1  # of torch'),
  'lines above': (text) => `# Mine.\n\n${text}`,
  'comments at registrations': (text) =>
    text.replaceAll(/^( *)(pm\.register_replacement.*)$/gm, '\n$1# Here.\n$1$2  # now'),
  'blank lines at functions': (text) => text.replaceAll(/^( *)(def \w+\(.*:)$/gm, '\n$1$2\n\n'),
}

const EXAMPLES = ['silu-mul-block-quant', 'rms-norm-int8', 'vllm-pass-pipeline', 'sglang-silu-and-mul']

describe('a moved report is that of a run', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  const run = (workspace: Workspace): Report => {
    const { report } = session.analyzeWhole(workspace)
    return JSON.parse(JSON.stringify(report, (key, value: unknown) => (/^ms$|Ms$/.test(key) ? 0 : value))) as Report
  }

  /** A key that a pass computes itself is unknown until it runs. */
  const withoutOwnKeys = (report: Report): Report => {
    const { pipeline } = report
    const isOwn = ({ uuid }: PipelineStage): boolean => uuid?.parts.some((p) => p.kind === 'own') ?? false
    if (!pipeline?.stages.some(isOwn)) return report
    const stages = pipeline.stages.map((s) => (isOwn(s) ? { ...s, uuid: null } : s))
    return { ...report, pipeline: { ...pipeline, stages, uuid: null } }
  }

  it.each(EXAMPLES)('%s', (id) => {
    const workspace = exampleWorkspace(id)
    const report = run(workspace)
    for (const [name, edit] of Object.entries(EDITS)) {
      const now = edited(workspace, edit)
      const moved = reportMover(workspace, now)?.(report)
      expect(moved, name).toEqual(withoutOwnKeys(run(now)))
    }
  })

  it('with the lines that a condition kept from running', () => {
    const text = `from torch.fx.passes.infra.pass_base import PassBase, PassResult
class P(PassBase):
    def call(self, gm):
        for n in gm.graph.nodes:
            if n.op == "nothing":
                n.target = None
                gm.graph.erase_node(n)
        return PassResult(gm, False)
`
    const workspace: Workspace = { ...exampleWorkspace('rms-norm-int8'), files: [{ name: 'p.py', text }] }
    const report = run(workspace)
    const kept = report.pipeline!.stages.flatMap((s) => s.did?.conditions ?? []).find((c) => c.skipped)
    expect(kept?.skipped).toEqual({ file: 'p.py', line: 6, endLine: 7, edits: true })
    for (const edit of [EDITS['lines above']!, EDITS['blank lines at functions']!]) {
      const now = edited(workspace, edit)
      expect(reportMover(workspace, now)?.(report)).toEqual(withoutOwnKeys(run(now)))
    }
  })

  it('other edits, code that may read its text and a failed run are not moved', () => {
    const workspace = exampleWorkspace('rms-norm-int8')
    const above = (text: string): Workspace => edited(workspace, (t) => `${text}\n${t}`)
    for (const now of [above('x = 1'), { ...above('#'), passes: [] }, { ...above('#'), files: [] }])
      expect(reportMover(workspace, now)).toBeNull()
    const reads = above('import inspect')
    expect(
      reportMover(
        reads,
        edited(reads, (t) => `#\n${t}`),
      ),
    ).toBeNull()
    const failed = above('1 / 0')
    expect(
      reportMover(
        failed,
        edited(failed, (t) => `#\n${t}`),
      )?.(run(failed)),
    ).toBeNull()
  })
})
