// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ExplainedExpression, ExplainedPattern } from '../../../../engine/protocol'
import { useView } from '../../../session/view_store'
import { closeAfterTest, renderOpened } from '../../../testing/render'
import { entry, pass, report } from '../../../../engine/queries/testing/report_fixture'
import { ExplainView } from './ExplainView'
import * as request from './request'
import { useExplain } from '../../../on_screen/explain/store'

beforeEach(() => void vi.spyOn(request, 'requestExplained').mockResolvedValue())
afterEach(closeAfterTest)

const expression = (index: number, parent: number | null, label: string, more: Partial<ExplainedExpression>) =>
  ({
    ...{ index, parent, depth: parent === null ? 0 : 1, kind: 'CallFunction', where: null, label, patternNode: null },
    ...{
      parts: [`Accepts ${label}.`],
      sentence: `Accepts ${label}.`,
      comparedIn: 'both',
      stages: 'Both stages compare it.',
    },
    ...{ notes: [], drawn: null, source: null, same: null, nodes: [], ...more },
  }) as ExplainedExpression

const EXPLAINED: ExplainedPattern = {
  pass: 'patterns',
  entry: 0,
  title: 'Fuse',
  kind: 'graph',
  graphNodes: 4,
  stages: [
    {
      stage: 'one',
      title: 'The only attempt',
      findings: [
        { expression: 1, check: 'operator', parts: ['No node is aten.silu.'], sentence: 'No node is aten.silu.' },
      ],
      expressions: [
        expression(0, null, 'CallFunction(mul)', { alone: 2, whole: 0, nodes: ['mul'], drawn: 1 }),
        expression(1, 0, 'CallFunction(silu)', { alone: 0, whole: 0, drawn: 0, where: 'argument 0' }),
      ],
      drawing: [
        { label: 'aten.silu.default', detail: 'CallFunction', kind: 'call', inputs: [] },
        { label: 'aten.mul.Tensor', detail: 'CallFunction', kind: 'call', inputs: [0] },
      ],
    },
  ],
}

function open(): void {
  const shown = report({ passes: [pass({ entries: [entry(0, 'Fuse')] })] })
  const { rerender } = renderOpened(<ExplainView report={shown} />, { report: shown })
  useExplain.setState({ explained: EXPLAINED })
  rerender(<ExplainView report={shown} />)
}

const item = (name: RegExp): HTMLElement => screen.getByRole('treeitem', { name })

describe('ExplainView', () => {
  it('says first what no node passes, then draws the pattern and lists its expressions with counts', () => {
    open()
    expect(screen.getByTestId('expression-finding').textContent).toBe('No node is aten.silu.')
    expect(screen.getByRole('button', { name: 'silu, CallFunction' })).toBeTruthy()
    expect(screen.getAllByTestId('expression-count').map((c) => c.textContent)).toEqual(['0 of 2', '0'])
  })

  it('lights an expression that is hovered or focused, and selects it by a click or Enter', () => {
    open()
    fireEvent.mouseEnter(item(/silu/))
    expect(useView.getState().hover).toMatchObject({ kind: 'patternNode', entry: 0, part: 1 })
    expect(item(/silu/).dataset.lit).toBe('true')
    fireEvent.click(item(/silu/))
    expect(useView.getState().selection).toMatchObject({ kind: 'patternNode', part: 1 })
    expect(item(/silu/).getAttribute('aria-selected')).toBe('true')
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'ArrowUp' })
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'Enter' })
    expect(useView.getState().selection).toMatchObject({ part: 0 })
  })

  it('lights the expression that accepts a hovered node, and the one of a hovered node of the drawing', () => {
    open()
    act(() => useView.getState().setHover({ kind: 'node', side: 'before', name: 'mul' }))
    expect(item(/mul/).dataset.lit).toBe('true')
    fireEvent.mouseEnter(screen.getByRole('button', { name: 'silu, CallFunction' }))
    expect(useView.getState().hover).toMatchObject({ part: 1 })
  })

  it('folds by the arrow keys', () => {
    open()
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'ArrowLeft' })
    expect(screen.getAllByRole('treeitem')).toHaveLength(1)
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'ArrowRight' })
    expect(screen.getAllByRole('treeitem')).toHaveLength(2)
  })
})
