/** Side by side, the canvas that the user does not move shows the same part of the graph as the one that is moved. */
import type { CameraPlace } from '../../../workspace/types'
import { canvasOf } from '../../commands/surfaces'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { counterpartOf } from './counterpart'

let frame = 0

/** Called at each move by hand; the other canvas follows once a frame. @param side the moved canvas */
export function follow(side: 'before' | 'after'): void {
  if (frame !== 0 || useView.getState().mode !== 'split') return
  frame = requestAnimationFrame(() => {
    frame = 0
    const other = canvasOf(side === 'before' ? 'after' : 'before')
    const place = canvasOf(side)?.place()
    if (!other || place === undefined) return
    if (place === null) return other.fit()
    const there = elsewhere(place)
    if (there) other.lookAt(there)
  })
}

/** The same camera on the other side; null if that side has no counterpart of its node. */
export function elsewhere(place: CameraPlace): CameraPlace | null {
  const { report } = useRun.getState()
  const node = report && counterpartOf(report, place.side, place.node)
  return node === null ? null : { ...place, node, side: place.side === 'before' ? 'after' : 'before' }
}
