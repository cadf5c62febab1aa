// @vitest-environment happy-dom
/** F6 on a small screen, which hides the code or the graph. */
import { expect, it } from 'vitest'
import { focusNextRegion } from './surfaces'

it('enters each area in turn, shows a hidden one, and begins the panels with the verdict', async () => {
  document.body.innerHTML = `
    <section data-region="first-visit"></section>
    <div id="graph"><section data-region="canvas"><div tabindex="0" id="canvas"></div></section></div>
    <div id="code" hidden><section data-region="editor"><button role="tab" aria-selected="true" id="tab"></button></section></div>
    <aside data-region="panels">
      <section data-entry tabindex="-1" id="verdict"></section>
      <button role="tab" aria-selected="true"></button>
    </aside>`
  for (const region of document.querySelectorAll<HTMLElement>('[data-region]'))
    region.checkVisibility = () => region.closest('[hidden]') === null
  const show = (pane: 'graph' | 'code'): void => {
    for (const id of ['graph', 'code']) document.getElementById(id)!.hidden = id !== pane
  }
  const visited: (string | undefined)[] = []
  for (let i = 0; i < 4; i++) {
    focusNextRegion(show)
    await new Promise((resolve) => requestAnimationFrame(resolve))
    visited.push(document.activeElement?.id)
  }
  expect(visited).toEqual(['canvas', 'tab', 'verdict', 'canvas'])
})
