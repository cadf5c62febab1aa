/** Opens a unified diff of two dumps as two graphs of the workspace, and compares them. */
import { dumpOfText, type Dump, type DumpGraph } from '../../../engine/dumps'
import { MAX_GRAPHS } from '../../../workspace'
import { graphsOf } from '../../../workspace/graphs'
import { compareWith } from '../../on_screen/compare/requests'
import type { OpenPart } from '../../session/session'
import { toast, useView, toastUndo } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'

/** The graphs before and after the change; null for other text, and for a diff of several graphs. */
export function sidesOf({ kind, graphs }: Dump): { before: DumpGraph; after: DumpGraph } | null {
  const [before, after] = graphs
  return kind === 'diff' && graphs.length === 2 ? { before: before!, after: after! } : null
}

/** The line starts with a diff mark, and no line of a graph does. */
const MARKED = /^[-+]\s*\S/m

/** Opens both sides and compares them; false if the workspace has no room for both. */
export function compareSides({ before, after }: { before: DumpGraph; after: DumpGraph }, name: string): boolean {
  const store = useWorkspace.getState()
  const { workspace, openFile } = store
  const present = graphsOf(workspace).filter((g) => g.text.trim() !== '' && !isDiff(g.text, g.name))
  if (present.length + 2 > MAX_GRAPHS) return false
  const stem = name.replace(/\.(?:txt|py|diff|patch)$/, '').replace(/[^\w.-]+/g, '_') || 'graph'
  const file = (side: string, text: string) => ({ name: `${stem}.${side}.txt`, text })
  const old = file('before', before.text)
  // The text of the diff itself does not become a third graph.
  const [first] = isDiff(workspace.graph.text, name)
    ? (store.setGraph(old), [useWorkspace.getState().workspace.graph.name])
    : store.addGraphs([old])
  store.addGraphs([file('after', after.text)])
  useView.getState().select(null)
  toastUndo(`${name} is a diff: its graphs before and after the change are compared.`, () =>
    useWorkspace.getState().restoreGraphs(workspace, openFile),
  )
  void compareWith(first!)
  return true
}

const isDiff = (text: string, name: string): boolean => MARKED.test(text) && sidesOf(dumpOfText(text, name)) !== null

/** Offers the comparison once the shown graph's text, as typed or pasted in the editor, is a diff. */
export const diffPart: OpenPart = () => {
  let offered = false
  return {
    onEdit() {
      const { text, name } = useWorkspace.getState().workspace.graph
      const sides = MARKED.test(text) ? sidesOf(dumpOfText(text, name)) : null
      if (sides && !offered)
        toast(`The text of ${name} is a diff of two graphs.`, {
          action: { label: 'Compare both', run: compareShownDiff },
        })
      offered = sides !== null
    },
  }
}

function compareShownDiff(): void {
  const { text, name } = useWorkspace.getState().workspace.graph
  const sides = sidesOf(dumpOfText(text, name))
  if (sides) compareSides(sides, name)
}
