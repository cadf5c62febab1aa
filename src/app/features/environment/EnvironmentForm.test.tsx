// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_ENVIRONMENT } from '../../../workspace/types'
import { EnvironmentForm } from './EnvironmentForm'

afterEach(cleanup)

function leave(label: string, value: string): void {
  const field = screen.getByLabelText(label)
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}

describe('EnvironmentForm', () => {
  it('applies each change immediately and keeps the other settings', () => {
    const change = vi.fn()
    render(<EnvironmentForm environment={DEFAULT_ENVIRONMENT} change={change} />)
    fireEvent.change(screen.getByLabelText('Model dtype'), { target: { value: 'float16' } })
    leave('Tokens', '128')
    leave('Custom operators', 'all, -silu_and_mul')
    leave('Flags', 'fuse_norm_quant=false')
    expect(change.mock.calls.map(([next]) => next)).toEqual([
      { ...DEFAULT_ENVIRONMENT, dtype: 'float16' },
      { ...DEFAULT_ENVIRONMENT, tokens: 128 },
      { ...DEFAULT_ENVIRONMENT, customOps: ['all', '-silu_and_mul'] },
      { ...DEFAULT_ENVIRONMENT, flags: { fuse_norm_quant: false } },
    ])
  })

  it('shows an error for an invalid token count until it is corrected', () => {
    const change = vi.fn()
    render(<EnvironmentForm environment={DEFAULT_ENVIRONMENT} change={change} />)
    leave('Tokens', 'many')
    expect(screen.getByRole('alert').textContent).toContain('many')
    leave('Tokens', '')
    expect([screen.queryByRole('alert'), change.mock.calls]).toEqual([null, []])
  })
})
