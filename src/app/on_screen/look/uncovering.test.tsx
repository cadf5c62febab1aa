// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useView } from '../../session/view_store'
import { fused } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, renderOpened } from '../../testing/render'
import { isolate } from './actions'
import { lookNow } from './store'
import { useUncovering } from './uncovering'
import { useVisibility } from './visible'

afterEach(closeAfterTest)

const { graph } = fused()

function Canvas({ names }: { names: readonly string[] }) {
  useUncovering(graph, framing(names.join()), useVisibility(graph))
  return null
}

/** The same object for the same names. */
const framings = new Map<string, { names: string[]; own: boolean }>()
const framing = (names: string) =>
  framings.get(names) ?? framings.set(names, { names: names.split(','), own: false }).get(names)!

it('draws the whole graph when a panel selects what the drawn part lacks, and not otherwise', () => {
  const { rerender } = renderOpened(<Canvas names={['x']} />, { report: fused() })
  const part = (): unknown => lookNow().only?.nodes
  act(() => isolate(['neg'], 0))
  expect(part()).toEqual(['neg'])
  rerender(<Canvas names={['relu', 'neg']} />)
  expect(part()).toEqual(['neg'])
  rerender(<Canvas names={['absent']} />)
  expect(part()).toEqual(['neg'])
  act(() => useView.setState({ from: 'before' }))
  rerender(<Canvas names={['x', 'out']} />)
  expect(part()).toEqual(['neg'])
  act(() => useView.setState({ from: 'panel' }))
  rerender(<Canvas names={['relu']} />)
  expect(part()).toBeUndefined()
})
