import type { Palette } from './palette'
import type { Regions } from './regions'
import type { Scene } from './scene'
import type { Mark } from './types'

/** Everything a frame depends on besides the view. Node sets are node indices. */
export interface Paint {
  scene: Scene
  regions: Regions
  palette: Palette
  selected: ReadonlySet<number>
  hovered: ReadonlySet<number>
  marks: ReadonlyMap<number, Mark>
  /** Number of nodes that Find found, by index of the block that holds them. */
  foundIn: ReadonlyMap<number, number>
  /** Edges that prevent a match, by index. */
  blamed: ReadonlySet<number>
}
