/** In the side-by-side view, the canvas that the user does not move follows the one that is moved. */
import type { CameraPlace } from '../../workspace/types'
import { perSession } from '../session/session'
import { Timer } from '../session/timer'
import { canvasOf } from '../commands/surfaces'
import { counterpartOf, type Pair } from './counterpart'
import { pairOnScreen } from './sides'

const next = perSession(() => new Timer())

/** Called at each manual move; the other canvas follows once per frame. @param side the moved canvas */
export function follow(side: 'before' | 'after'): void {
  next().begin('frame', () => {
    const other = canvasOf(side === 'before' ? 'after' : 'before')
    const pair = other && pairOnScreen()
    const place = canvasOf(side)?.place()
    if (!pair || place === undefined) return
    if (place === null) return other.lookAt(null)
    const there = elsewhere(pair, place)
    if (there) other.lookAt(there)
  })
}

/** The corresponding camera on the other side; null if its node has no counterpart there. */
export function elsewhere(pair: Pair, place: CameraPlace): CameraPlace | null {
  const node = counterpartOf(pair, place.side, place.node)
  return node === null ? null : { ...place, node, side: place.side === 'before' ? 'after' : 'before' }
}
