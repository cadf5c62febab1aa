// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { useView } from '../../session/view_store'
import { fused, report } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, openInTest, renderOpened } from '../../testing/render'
import { RunPanel } from './RunPanel'
import { SenderRun } from './SenderRun'
import { RUNNING } from '../../testing/run_state'
import { useGpu } from './store'

afterEach(() => {
  closeAfterTest()
  useGpu.setState(useGpu.getInitialState(), true)
})

const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name })

describe('RunPanel', () => {
  it('explains why nothing can run: no report, only a link’s summary, no pass', () => {
    const { rerender } = renderOpened(<RunPanel />)
    expect(screen.queryByTestId('run-button')).toBeNull()
    openInTest({ report: report() })
    rerender(<RunPanel />)
    expect([screen.queryByTestId('run-button'), screen.getByText(/Once a pattern or a pass has run/)]).toEqual([
      null,
      expect.anything(),
    ])
  })

  it('runs the selected match, the pattern or the whole graph', () => {
    renderOpened(<RunPanel />, { report: fused() })
    expect(screen.getByLabelText<HTMLSelectElement>('Match to run').selectedOptions[0]?.textContent).toBe('1: neg')
    fireEvent.click(screen.getByRole('radio', { name: 'Pattern' }))
    act(() => useView.getState().select({ kind: 'entry', pass: 'patterns', index: 2 }))
    expect(screen.getByLabelText<HTMLSelectElement>('Pattern to run').selectedOptions[0]?.textContent).toMatch(
      /3: other/,
    )
    fireEvent.click(screen.getByRole('radio', { name: 'Whole graph' }))
    expect([screen.queryByLabelText('Pattern to run'), screen.queryByTestId('run-sweep')]).toEqual([null, null])
  })

  it('opens on the pattern if nothing matched, and on the graph if there is no pattern', () => {
    const found = fused()
    const [pass] = found.passes
    const { rerender } = renderOpened(<RunPanel />, { report: { ...found, passes: [{ ...pass!, matches: [] }] } })
    const chosen = () => screen.getAllByRole('radio', { checked: true }).map((r) => r.textContent)
    expect([chosen(), screen.getByRole<HTMLButtonElement>('radio', { name: 'Match' }).disabled]).toEqual([
      ['Pattern'],
      true,
    ])
    openInTest({ report: { ...found, passes: [{ ...pass!, matches: [], entries: [] }] } })
    rerender(<RunPanel />)
    expect(chosen()).toEqual(['Whole graph'])
  })

  it('shows a run in progress, and a canceled run', () => {
    // The engine is busy, so the run waits for it.
    renderOpened(<RunPanel />, { report: fused(), run: { running: RUNNING } })
    fireEvent.click(button('Run'))
    expect([useGpu.getState().running, screen.getByText('Preparing Fuse')]).toEqual(['one', expect.anything()])
    fireEvent.click(button('Cancel'))
    expect([useGpu.getState().running, screen.getByText('Cancelled.')]).toEqual([null, expect.anything()])
  })

  it('keeps the options for the next workspace, but not the result', () => {
    const { rerender } = renderOpened(<RunPanel />, { report: fused(), run: { running: RUNNING } })
    fireEvent.change(screen.getByLabelText('Tokens'), { target: { value: '64' } })
    fireEvent.change(screen.getByLabelText('Seed'), { target: { value: '7' } })
    fireEvent.click(button('Run'))
    act(() => openInTest({ report: fused() }))
    rerender(<RunPanel />)
    const { tokens, seed, running, of } = useGpu.getState()
    expect({ tokens, seed, running, of }).toEqual({ tokens: 64, seed: 7, running: null, of: null })
    expect(button('Run')).toBeTruthy()
  })
})

it('colors the sender’s result by what was found, not by its words', () => {
  const run = { title: 'neg', good: true, headline: null, parts: ['The same numbers.'], lines: [] }
  const { rerender } = render(<SenderRun run={{ ...run, kind: 'equal' }} />)
  const tone = () => screen.getByTestId('sender-run').dataset.tone
  expect(tone()).toBe('good')
  rerender(<SenderRun run={{ ...run, kind: 'close' }} />)
  expect(tone()).toBe('warn')
  rerender(<SenderRun run={run} />)
  expect(tone()).toBeUndefined()
})
