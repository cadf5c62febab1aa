import type { Box } from './box'

const CELL = 512

/** Spatial index: boxes in a grid of cells, for hit tests and visibility. Results are in ascending order. */
export class Grid {
  private readonly cells = new Map<number, number[]>()

  constructor(private readonly boxes: readonly Box[]) {
    boxes.forEach((b, i) =>
      this.visit(b, (key) => {
        const cell = this.cells.get(key)
        if (cell) cell.push(i)
        else this.cells.set(key, [i])
      }),
    )
  }

  /** Indices of the boxes that touch `area`. */
  query(area: Box): number[] {
    const found = new Set<number>()
    this.visit(area, (key) => {
      for (const i of this.cells.get(key) ?? []) {
        const b = this.boxes[i]!
        if (b.x < area.x + area.w && area.x < b.x + b.w && b.y < area.y + area.h && area.y < b.y + b.h) found.add(i)
      }
    })
    return [...found].sort((a, b) => a - b)
  }

  private visit(b: Box, each: (key: number) => void): void {
    const x1 = Math.floor((b.x + b.w) / CELL)
    const y1 = Math.floor((b.y + b.h) / CELL)
    for (let cx = Math.floor(b.x / CELL); cx <= x1; cx++)
      for (let cy = Math.floor(b.y / CELL); cy <= y1; cy++) each(cx * 65536 + cy)
  }
}
