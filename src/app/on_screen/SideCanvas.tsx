/** The canvas of one side: commands act on it, Find marks nodes on it, and the other side's canvas follows it. */
import { useCallback, useMemo } from 'react'
import { GraphCanvas, type GraphCanvasHandle, type GraphCanvasProps } from '../canvas'
import { setCanvas } from '../commands/surfaces'
import { useTheme } from '../theme/theme_store'
import { Guard } from '../ui/Guard'
import { useFound, withFound } from './find/useFound'
import { follow } from './follow'

/** Props of a canvas that highlights and selects only nodes. */
const PLAIN = { groups: [], hovered: new Set<string>(), onHoverNode(): void {}, onSelectGroup(): void {} }

type Given = Omit<GraphCanvasProps, 'theme' | 'onMoved' | keyof typeof PLAIN>

export function SideCanvas({ marks, ...props }: Given & Partial<Pick<GraphCanvasProps, keyof typeof PLAIN>>) {
  const { side } = props
  const theme = useTheme((s) => s.theme)
  const found = useFound(side)
  const all = useMemo(() => withFound(marks, found), [marks, found])
  const register = useCallback((handle: GraphCanvasHandle | null) => setCanvas(side, handle), [side])
  return (
    <Guard what="The canvas">
      <GraphCanvas ref={register} theme={theme} marks={all} onMoved={() => follow(side)} {...PLAIN} {...props} />
    </Guard>
  )
}
