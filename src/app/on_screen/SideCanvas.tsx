import { useEffect, type RefObject } from 'react'
import type { GraphCanvasHandle } from '../canvas'
import { setCanvas } from '../commands/surfaces'

/** Registers the mounted canvas as the one that commands of its side act on. @param empty the canvas draws nothing */
export function useCanvasSurface(
  side: 'before' | 'after',
  handle: RefObject<GraphCanvasHandle | null>,
  empty = false,
): void {
  useEffect(() => {
    if (empty) return
    setCanvas(side, {
      fit: () => handle.current?.fit(),
      focusNodes: (names) => handle.current?.focusNodes(names),
      zoomIn: () => handle.current?.zoomIn(),
      zoomOut: () => handle.current?.zoomOut(),
      place: () => {
        const place = handle.current?.place()
        return place ? { side, ...place } : null
      },
      lookAt: (place) => handle.current?.lookAt(place),
      picture: async (part) => (await handle.current?.picture(part)) ?? null,
    })
    return () => setCanvas(side, null)
  }, [side, handle, empty])
}
