// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fused } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, renderOpened } from '../../testing/render'
import { pythonHasRun } from '../../session/run_store'
import { EXPORTS } from './exports'
import { ShareDialog } from './ShareDialog'
import { SHARE_COMMANDS } from './commands'

afterEach(closeAfterTest)

describe('exports', () => {
  it('are offered in the dialog and the palette once the Python has run', async () => {
    renderOpened(<ShareDialog />, { report: fused() })
    const group = await screen.findByRole('group', { name: 'Export for a real PyTorch' })
    expect([...group.querySelectorAll('button')].map((b) => b.textContent)).toEqual(EXPORTS.map((e) => e.label))
    expect(pythonHasRun()).toBe(true)
    const ids = SHARE_COMMANDS.map((c) => c.id)
    expect(ids.filter((id) => !id.startsWith('picture-'))).toEqual([
      'save',
      'share',
      'export-script',
      'export-pytest',
      'export-patterns',
    ])
  })

  it('are disabled while the Python has failed', async () => {
    const failure = { type: 'ValueError', message: 'no', frames: [], traceback: '' }
    renderOpened(<ShareDialog />, { report: { ...fused(), python: failure } })
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Script' })
    expect(button.disabled).toBe(true)
    fireEvent.click(button)
    expect(SHARE_COMMANDS.filter((c) => c.id.startsWith('export-')).every((c) => c.enabled?.() === false)).toBe(true)
  })
})
