// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { cleanup, render, screen } from '@testing-library/react'
import { LongList } from './LongList'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const items = Array.from({ length: 250 }, (_, i) => i)
const row = (i: number) => <li key={i}>{`row ${i}`}</li>

it('renders the first part, and that of the needed row', () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  const { rerender } = render(<LongList label="Rows" items={items} row={row} />)
  expect(screen.getAllByRole('listitem')).toHaveLength(100)
  rerender(<LongList label="Rows" items={items} row={row} needed={249} />)
  expect(screen.getByRole('list', { name: 'Rows, 201 to 250' }).textContent).toContain('row 249')
  expect(screen.getAllByRole('listitem')).toHaveLength(150)
})

it('is one list for few rows', () => {
  render(<LongList label="Rows" items={items.slice(0, 5)} row={row} />)
  expect(screen.getByRole('list', { name: 'Rows' }).children).toHaveLength(5)
})
