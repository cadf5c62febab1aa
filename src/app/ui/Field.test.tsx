// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Select } from './Field'

afterEach(cleanup)

it('a select keeps the focus after a choice with keys, and lets it go after one with the pointer', () => {
  render(
    <Select defaultValue="a">
      <option>a</option>
      <option>b</option>
    </Select>,
  )
  const select = screen.getByRole('combobox')
  const choose = (value: string): boolean => {
    fireEvent.change(select, { target: { value } })
    return document.activeElement === select
  }
  select.focus()
  fireEvent.keyDown(select, { key: 'b' })
  expect(choose('b')).toBe(true)
  fireEvent.pointerDown(select)
  expect(choose('a')).toBe(false)
})
