// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useView } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { closeAfterTest, renderOpened } from '../testing/render'
import { report, WORKSPACE } from '../testing/report_fixture'
import { ProblemBanner } from './Banners'

afterEach(closeAfterTest)

const failure = (type: string, file: string) => ({
  type,
  message: 'no driver',
  frames: [{ file, line: 3, code: '' }],
  traceback: '',
})
const outcome = (file: string, failed: ReturnType<typeof failure> | null) => ({
  file,
  module: file.replace('.py', ''),
  registered: 1,
  failure: failed,
  stoppedBy: null,
  uncalled: [],
})

it('names the first file that failed beside others that ran, and opens its line', () => {
  const workspace = { ...WORKSPACE, files: ['a.py', 'b.py'].map((name) => ({ name, text: '' })) }
  const files = [outcome('a.py', null), outcome('b.py', failure('OSError', 'b.py'))]
  renderOpened(<ProblemBanner />, { workspace, report: report({ files }) })
  expect(screen.getByTestId('problem-banner').textContent).toContain('OSError: no driver. The other files ran.')
  act(() => screen.getByRole('button', { name: 'b.py:3' }).click())
  expect(useWorkspace.getState().openFile).toBe('b.py')
  act(() => screen.getByRole('button', { name: 'Traceback' }).click())
  expect(useView.getState().panel).toBe('console')
})

it('names the failure of the run before those of files', () => {
  const files = [outcome('b.py', failure('OSError', 'b.py'))]
  const run = { python: failure('KeyError', 'patterns.py') }
  renderOpened(<ProblemBanner />, { report: report({ files }), run })
  expect(screen.getByTestId('problem-banner').textContent).toMatch(/^KeyError: no driver/)
})

it('is absent when all files ran', () => {
  renderOpened(<ProblemBanner />, { report: report({ files: [outcome('a.py', null)] }) })
  expect(screen.queryByTestId('problem-banner')).toBeNull()
})
