import { afterEach, expect, it, vi } from 'vitest'
import { WORKSPACE } from '../../testing/report_fixture'
import { useWorkspace } from '../../session/workspace_store'
import { useEditorOptions, wraps } from './options_store'

afterEach(() => {
  vi.unstubAllGlobals()
  useEditorOptions.setState(useEditorOptions.getInitialState())
})

it('wraps lines on a small screen until the user chooses', () => {
  useWorkspace.getState().load(WORKSPACE, 'own:options')
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  expect(wraps()).toBe(false)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  expect(wraps()).toBe(true)
  useEditorOptions.setState({ wordWrap: false })
  expect(wraps()).toBe(false)
})
