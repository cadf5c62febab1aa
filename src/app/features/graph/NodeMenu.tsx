/** Context menu of a node. */
import { useState } from 'react'
import { runById } from '../../commands/registry'
import { nodeNamed } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { copyName, isolate, openText, showPath, showUses } from '../../on_screen/look/actions'
import { useLook } from '../../on_screen/look/store'
import { setPicked, startPicking } from '../../on_screen/picked/picking'
import { useNewPattern } from '../../on_screen/picked/store'
import { choosePattern } from '../../on_screen/pin_store'
import { Menu } from '../../ui/Menu'

interface At {
  name: string
  clientX: number
  clientY: number
}

export interface NodeMenuState {
  at: At | null
  open(name: string, at: { clientX: number; clientY: number }): void
  close(): void
}

export function useNodeMenu(): NodeMenuState {
  const [at, setAt] = useState<At | null>(null)
  return { at, open: (name, { clientX, clientY }) => setAt({ name, clientX, clientY }), close: () => setAt(null) }
}

/** Opening the menu selected the node, so picking it as a click does would deselect it. */
function pickToo(name: string): void {
  startPicking()
  const { picked } = useNewPattern.getState()
  if (!picked.includes(name)) setPicked([...picked, name])
}

export function NodeMenu({ at, close }: { at: At; close(): void }) {
  const hasPatterns = useRun((s) => s.result.value?.passes.some((p) => p.entries.length > 0) ?? false)
  const previous = useLook((s) => s.previous)
  const from = previous === at.name ? null : previous
  const line = useRun((s) => nodeNamed(s.graphRead.value, at.name)?.textLine ?? null)
  const items = [
    ...(hasPatterns ? [{ label: 'Why doesn’t a pattern match here?…', run: () => choosePattern(at.name) }] : []),
    ...(hasPatterns ? [{ label: 'Step through the attempts here', run: () => runById('step-through') }] : []),
    { label: 'Pick it for a pattern', run: () => pickToo(at.name) },
    { label: 'Make a pattern from here…', run: () => runById('pattern-from-selection') },
    { label: 'Draw only this node and its neighbors', run: () => isolate([at.name]) },
    { label: 'Draw all its uses', run: () => showUses(at.name) },
    ...(from === null ? [] : [{ label: `Draw the paths from ${from}`, run: () => showPath(from, at.name) }]),
    ...(line === null ? [] : [{ label: 'Go to its line of the text', run: () => openText(at.name) }]),
    { label: 'Copy its name', run: () => void copyName(at.name) },
    { label: 'Details of this node', run: () => useView.getState().setPanel('inspector') },
  ]
  return <Menu label={`Node ${at.name}`} heading={at.name} at={at} items={items} onClose={close} />
}
