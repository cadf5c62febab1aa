// @vitest-environment happy-dom
/** A paste is taken wherever the focus is, but not from a field or a dialog. */
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useWorkspace } from '../../session/workspace_store'
import { DropZone } from './DropZone'
import * as sources from './sources'

const TEXT = `graph():
    %x : [num_users=1] = placeholder[target=x]
    return x
`

/** Pastes into an element; true if the text was taken as a file. */
function isTaken(at: Element, text = TEXT): boolean {
  const take = vi.spyOn(sources, 'take').mockResolvedValue()
  const paste = new Event('paste', { bubbles: true })
  Object.assign(paste, { clipboardData: { getData: () => text } })
  at.dispatchEvent(paste)
  return take.mock.calls.length > 0
}

/** An element of the page, by its HTML. */
function element(html: string, selector: string): Element {
  document.body.insertAdjacentHTML('beforeend', html)
  return document.querySelector(selector)!
}

describe('a paste', () => {
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
    document.body.replaceChildren()
  })

  it.each([
    ['the page', '', 'body', true],
    ['a button that was clicked', '<button id="b">Run</button>', '#b', true],
    ['a tab', '<div role="tab" tabindex="0">Matches</div>', '[role=tab]', true],
    ['the canvas', '<div id="c" tabindex="0"><svg></svg></div>', 'svg', true],
    ['a field', '<textarea></textarea>', 'textarea', false],
    ['the editor', '<div class="monaco-editor"><div id="line"></div></div>', '#line', false],
    ['a dialog', '<div role="dialog"><button id="ok">OK</button></div>', '#ok', false],
  ])('on %s is taken unless a field, the editor or a dialog has the text', (_, html, selector, taken) => {
    render(<DropZone />)
    expect(isTaken(element(html, selector))).toBe(taken)
  })

  it('of one line is a graph only where none is open', () => {
    render(<DropZone />)
    const { workspace } = useWorkspace.getState()
    useWorkspace.setState({ workspace: { ...workspace, graph: { name: 'graph.txt', text: TEXT } } })
    expect(isTaken(document.body, 'some words')).toBe(false)
    useWorkspace.setState({ workspace: { ...workspace, graph: { name: 'graph.txt', text: '' } } })
    expect(isTaken(document.body, 'some words')).toBe(true)
    useWorkspace.setState({ workspace })
  })
})

describe('a text that is dropped', () => {
  afterEach(() => {
    cleanup()
    document.body.replaceChildren()
  })

  it.each([
    ['the editor, where it would count as typed', '<div class="monaco-editor"><textarea></textarea></div>', true],
    ['a field', '<textarea></textarea>', false],
  ])('on %s', (_, html, refused) => {
    render(<DropZone />)
    const drop = new Event('drop', { bubbles: true, cancelable: true })
    Object.assign(drop, { dataTransfer: { types: ['text/plain'] } })
    element(html, 'textarea').dispatchEvent(drop)
    expect(drop.defaultPrevented).toBe(refused)
  })
})
