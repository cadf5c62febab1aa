/** Arrow-key navigation in a grid of cards. */
import type { KeyboardEvent } from 'react'

const STEP: Record<string, [number, number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Moves from the focused card to the nearest one in the direction of the key. */
export function arrowTo(e: KeyboardEvent<HTMLElement>): void {
  const step = STEP[e.key]
  if (!step || !(e.target instanceof HTMLElement) || !e.target.matches('[data-card-open]')) return
  e.preventDefault()
  const cards = [...e.currentTarget.querySelectorAll<HTMLElement>('[data-card-open]')]
  const center = (card: HTMLElement): [number, number] => {
    const box = (card.closest('li') ?? card).getBoundingClientRect()
    return [box.x + box.width / 2, box.y + box.height / 2]
  }
  const [x, y] = center(e.target)
  const [along, across] = step[0] ? [0, 1] : [1, 0]
  let best: { card: HTMLElement; far: number } | null = null
  for (const card of cards) {
    const [cx, cy] = center(card)
    const off = [cx - x, cy - y]
    const ahead = off[along]! * (step[along] as number)
    // Prefer the next row to a straight line: a sideways distance costs less than a distance in the key's direction.
    if (ahead > 8) {
      const far = ahead * 1000 + Math.abs(off[across]!)
      if (!best || far < best.far) best = { card, far }
    }
  }
  best?.card.focus()
}

/** Moves from the search field down to the cards. */
export function focusFirstCard(e: KeyboardEvent<HTMLElement>): void {
  e.preventDefault()
  e.currentTarget.closest('[role="dialog"]')?.querySelector<HTMLElement>('[data-card-open]')?.focus()
}
