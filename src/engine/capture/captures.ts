/** The captures that a session's workspaces come from: each text is read once. */
import type { Graph } from '../../fx'
import type { SyntaxData } from '../../explain/fixes/syntax'
import { pythonFiles } from '../../workspace/python_files'
import type { CaptureFile, GraphFile, Workspace } from '../../workspace/types'
import type { CompareReport } from '../compare/types'
import type { ReportedPass } from '../report/pass_report'
import { type CapturedSide, counterpartsIn, entriesOf, recordedSide, runOf, sideOf } from './captured_side'
import { compareCaptures } from './compare_captures'
import { recordedCalls } from './own_files'
import { readCapture } from './read'
import { replay, type Replay, type ReplayContext } from './replay'
import { captureReport, verdictsOnEdited } from './report'
import type { CaptureReport } from './report_types'
import type { Capture, RecordedRun } from './records'
import { nameOf } from './titles'
import { isAsRecorded } from './workspace'
import { compareGraphs } from '../../explain/compare/changes'
import { compareRuns } from '../compare/compare_runs'
import { rerunOn } from './rerun'

/**
 * The recorded functions answer at a node's counterpart as they did in the recorded run; for any other node, extra_check is False.
 * @param role of the graph
 */
function compareWithGraph(
  captured: CapturedSide,
  other: { name: string; graph: Graph },
  role: 'old' | 'new',
): CompareReport {
  const side = sideOf(captured, (id) => id)
  const titles = new Map(entriesOf(captured).map((e) => [e.id, nameOf(e)]))
  const toOther =
    role === 'new' ? compareGraphs(side.graph, other.graph).toNew : compareGraphs(other.graph, side.graph).toOld
  const rerun = (graph: Graph) =>
    runOf(
      side,
      rerunOn(side.capture, side.applications, graph, (node) => counterpartsIn(side.graph, toOther, node)),
    )
  const compared = { ...other, run: rerun(other.graph) }
  const [old, now] = role === 'old' ? [compared, recordedSide(side)] : [recordedSide(side), compared]
  return compareRuns(old, now, {
    rerun,
    titleOf: (_pass, entry) => titles.get(entry) ?? `pattern ${entry}`,
    causeAt: () => null,
  })
}

/** Number of cached captures: one for each side of a comparison. */
const MAX_KEPT = 2

export class Captures {
  private known: { text: string; capture: Capture | null }[] = []
  /** The calls of the last workspace whose files register no patterns by themselves. */
  private called: { text: string; runs: string; calls: readonly string[] } | null = null

  /** The passes of the workspace's capture; null if it has none, or was edited. */
  replay(workspace: Workspace, context: ReplayContext): Replay | null {
    const file = workspace.capture
    const capture = file && isAsRecorded(workspace) ? this.read(file) : null
    return capture && replay(capture, file!.run, context)
  }

  /**
   * The calls that `findCalls` found for the workspace; none once the workspace has changed, because its files may then register
   * patterns by themselves.
   */
  callsOf(workspace: Workspace): readonly string[] {
    return this.knowsCalls(workspace) ? this.called!.calls : []
  }

  /** Finds the calls that register the recorded patterns, for files that register none. @returns true if there are new ones */
  findCalls(workspace: Workspace, syntaxOf: (text: string) => SyntaxData | null): boolean {
    const { capture: file } = workspace
    const capture = file ? this.read(file) : null
    if (!capture || this.knowsCalls(workspace)) return false
    const calls = recordedCalls(capture, file!.run, pythonFiles(workspace), syntaxOf)
    this.called = { text: file!.text, runs: whatRuns(workspace), calls }
    return calls.length > 0
  }

  private knowsCalls(workspace: Workspace): boolean {
    return (
      this.called !== null && this.called.text === workspace.capture?.text && this.called.runs === whatRuns(workspace)
    )
  }

  /** Adds PyTorch's verdicts to the reports of the passes. @param replayed null if Python registered the patterns */
  reportOf(workspace: Workspace, passes: readonly ReportedPass[], replayed: Replay | null): CaptureReport | null {
    const file = workspace.capture
    const capture = file ? this.read(file) : null
    if (!capture) return null
    const verdicts = replayed ? replayed.verdicts : verdictsOnEdited(capture, file!.run, passes)
    for (const [i, { report }] of passes.entries()) {
      const verdict = verdicts[i]
      if (verdict) report.pytorch = verdict
    }
    return captureReport(capture, file!.run, verdicts, {
      edited: replayed === null,
      calls: replayed ? [] : this.callsOf(workspace),
      ...(replayed && { problems: replayed.problems }),
    })
  }

  /** The capture, with those applications of its run that are replayed. */
  recorded({ capture }: Workspace, { applications }: Replay): RecordedRun | null {
    const read = capture ? this.read(capture) : null
    return read && { capture: read, applications }
  }

  /**
   * Compares the shown graph's run, as recorded, with another graph of the workspace. If that graph comes from a capture, its own
   * recorded run is used.
   * @param role of the other graph
   * @param graphOf reads the other graph
   * @returns null if the shown graph comes from no capture, or the workspace was edited
   */
  compare(
    workspace: Workspace,
    other: GraphFile,
    role: 'old' | 'new',
    graphOf: (file: GraphFile) => Graph,
  ): CompareReport | null {
    const own = isAsRecorded(workspace) ? workspace.capture! : null
    // If both files have the same name, the names of their graphs identify them.
    const named = own?.name !== other.capture?.name
    const shown = own && this.sideOf(own, named ? own.name : workspace.graph.name)
    if (!shown) return null
    const captured = other.capture ? this.sideOf(other.capture, named ? other.capture.name : other.name) : null
    if (!captured) return compareWithGraph(shown, { name: other.name, graph: graphOf(other) }, role)
    const [old, now] = role === 'old' ? [captured, shown] : [shown, captured]
    return compareCaptures(old, now)
  }

  private sideOf(file: CaptureFile, name: string): CapturedSide | null {
    const capture = this.read(file)
    return capture && { name, capture, run: file.run }
  }

  private read(file: CaptureFile): Capture | null {
    const known = this.known.find((k) => k.text === file.text)
    if (known) return known.capture
    const read = readCapture(file.text, file.name)
    const capture = read.ok ? read.value : null
    this.known = [{ text: file.text, capture }, ...this.known].slice(0, MAX_KEPT)
    return capture
  }
}

/** Everything that decides whether the files register patterns and what they define. */
const whatRuns = ({ files, environment, passes }: Workspace): string => JSON.stringify([files, environment, passes])
