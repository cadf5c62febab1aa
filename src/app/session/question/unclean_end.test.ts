// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TAB } from '../tabs'
import { findUncleanEnd, markRun, takeUncleanEnd } from './unclean_end'

const marks = (): string[] => Object.keys({ ...localStorage }).filter((key) => key.startsWith('fusescope:running:'))

describe('a run that ended with its page', () => {
  afterEach(() => {
    localStorage.clear()
    vi.useRealTimers()
  })

  it('is known by the mark of a tab that is gone, once', async () => {
    localStorage.setItem('fusescope:running:gone', '1')
    await findUncleanEnd()
    expect([takeUncleanEnd(), takeUncleanEnd(), marks()]).toEqual([true, false, []])
  })

  it('is not a run of this tab, nor one whose page was closed', async () => {
    markRun()
    expect(marks()).toEqual([`fusescope:running:${TAB}`])
    await findUncleanEnd()
    expect(takeUncleanEnd()).toBe(false)
    dispatchEvent(new Event('pagehide'))
    expect(marks()).toEqual([])
  })

  it('keeps its mark until the report is drawn, and a newer run keeps it longer', () => {
    vi.useFakeTimers()
    markRun()()
    vi.advanceTimersByTime(499)
    const end = markRun()
    vi.advanceTimersByTime(10_000)
    expect(marks()).toHaveLength(1)
    end()
    vi.advanceTimersByTime(500)
    expect(marks()).toEqual([])
  })

  it('keeps its mark while an older run ends, behind which it waits', () => {
    vi.useFakeTimers()
    const [endOlder, end] = [markRun(), markRun()]
    endOlder()
    vi.advanceTimersByTime(10_000)
    expect(marks()).toHaveLength(1)
    end()
    vi.advanceTimersByTime(500)
    expect(marks()).toEqual([])
  })
})
