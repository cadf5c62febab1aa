// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { FileOutcome } from '../../../engine/protocol'
import { outcomeWith } from '../../testing/run_state'
import { useRun } from '../../session/run_store'
import { report } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, openInTest, renderOpened } from '../../testing/render'
import { useWorkspace } from '../../session/workspace_store'
import { ConsolePanel } from './ConsolePanel'

afterEach(closeAfterTest)

const python = { type: 'ValueError', message: 'no such key', frames: [], traceback: 'Traceback: no such key' }

const outcome = (file: string, more: Partial<FileOutcome>): FileOutcome => ({
  file,
  module: file.replace('.py', ''),
  registered: 0,
  failure: null,
  stoppedBy: null,
  uncalled: [],
  ...more,
})

describe('ConsolePanel', () => {
  it('shows printed output, with errors separate', () => {
    renderOpened(<ConsolePanel />)
    expect(screen.getByText(/print\(\)/)).toBeTruthy()
    act(() =>
      useRun.setState(
        outcomeWith({
          console: [
            { stream: 'stdout', text: 'one\n' },
            { stream: 'stderr', text: 'two' },
          ],
        }),
      ),
    )
    const output = screen.getByLabelText('Output')
    expect([output.textContent, within(output).getByText('two').className]).toEqual([
      'one\ntwo\n',
      expect.stringContaining('stderr'),
    ])
  })

  it('shows a traceback above the output of the same run', () => {
    renderOpened(<ConsolePanel />, { run: outcomeWith({ python, console: [{ stream: 'stdout', text: 'before' }] }) })
    expect(screen.getByTestId('console').textContent).toMatch(/^Traceback: no such key.*before/s)
  })

  it('lists stubs and inferred operators', () => {
    renderOpened(<ConsolePanel />, {
      run: outcomeWith({
        stubs: [{ module: 'vllm.utils', asked: ['has_deep_gemm'], source: null }],
        inferredOps: ['my::fused'],
      }),
    })
    expect(screen.getByText(/vllm\.utils/).textContent).toContain('has_deep_gemm')
    expect(screen.getByText('my::fused')).toBeTruthy()
  })

  it('lists what the answers of a stub decided, with the lines', () => {
    const source = { file: 'fusion.py', line: 9, code: 'if acme.has_kernels():' }
    const decided = [{ module: 'acme', asked: 'has_kernels()', answer: 'False', phase: 'load' as const, source }]
    renderOpened(<ConsolePanel />, {
      run: outcomeWith({ stubs: [{ module: 'acme', asked: ['has_kernels'], source: null, decided }] }),
    })
    expect(screen.getByTestId('stub-decisions').textContent).toBe(
      'fusion.py:9 has_kernels() answered False and decided which code ran as the file was loadedif acme.has_kernels():',
    )
  })

  it('is empty again in the next session', () => {
    renderOpened(<ConsolePanel />, { run: outcomeWith({ python }) })
    act(() => openInTest({ report: report() }))
    expect(screen.getByTestId('console').textContent).toMatch(/Nothing was printed/)
  })
})

describe('the list of files', () => {
  it('lists the files: patterns, exceptions with their line, and files not reached', () => {
    const failure = {
      type: 'OSError',
      message: 'no driver',
      frames: [{ file: 'a.py', line: 2, code: '' }],
      traceback: 'T',
    }
    const files = [
      outcome('a.py', { failure }),
      outcome('b.py', { stoppedBy: 'a.py' }),
      outcome('c.py', { registered: 2 }),
    ]
    renderOpened(<ConsolePanel />, { report: report({ files }) })
    const list = within(screen.getByTestId('file-outcomes')).getAllByRole('listitem')
    expect(list.map((li) => li.textContent)).toEqual([
      'a.py:2 OSError at line 2: no driver',
      'b.py:1 not reached: imports a.py, which failed',
      'c.py:1 2 patterns',
    ])
  })

  it('calls registration functions that no file calls, one or all', () => {
    const files = [outcome('a.py', { uncalled: ['register', 'more'] })]
    renderOpened(<ConsolePanel />, { report: report({ files }) })
    const calls = (): string[] =>
      (useWorkspace.getState().workspace.files.at(-1)?.text ?? '').split('\n').filter((l) => l.endsWith('()'))
    act(() => screen.getByRole('button', { name: 'Call register()' }).click())
    expect(calls()).toEqual(['a.register()'])
    act(() => openInTest({ report: report({ files }) }))
    act(() => screen.getByRole('button', { name: 'Call all 2 registration functions' }).click())
    expect(calls()).toEqual(['a.register()', 'a.more()'])
  })
})
