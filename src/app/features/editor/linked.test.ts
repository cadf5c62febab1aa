import { describe, expect, it } from 'vitest'
import type { editor } from 'monaco-editor/editor/editor.api.js'
import { Linked } from './linked'

/** A model with the relevant part of Monaco's behavior: a stack of texts, each with its alternative version id. */
class FakeModel {
  private ids = [1]
  private at = 0
  constructor(
    readonly name: string,
    private readonly linked: Linked,
  ) {}
  edit(): { before: number; after: number; model: editor.ITextModel } {
    const before = this.getAlternativeVersionId()
    this.ids = [...this.ids.slice(0, this.at + 1), Math.max(...this.ids) + 1]
    this.at++
    return { before, after: this.getAlternativeVersionId(), model: this as unknown as editor.ITextModel }
  }
  undo(): void {
    this.at = Math.max(0, this.at - 1)
    this.linked.follow(this as unknown as editor.ITextModel, { isUndoing: true, isRedoing: false })
  }
  redo(): void {
    this.at = Math.min(this.ids.length - 1, this.at + 1)
    this.linked.follow(this as unknown as editor.ITextModel, { isUndoing: false, isRedoing: true })
  }
  getAlternativeVersionId = (): number => this.ids[this.at]!
  isDisposed = (): boolean => false
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('a change of several files', () => {
  const start = () => {
    const linked = new Linked()
    const [a, b] = [new FakeModel('a', linked), new FakeModel('b', linked)]
    linked.add([a.edit(), b.edit()])
    return { a, b }
  }
  it('is undone and redone in all of them, from any of them', async () => {
    const { a, b } = start()
    b.undo()
    await settled()
    expect([a.getAlternativeVersionId(), b.getAlternativeVersionId()]).toEqual([1, 1])
    a.redo()
    await settled()
    expect([a.getAlternativeVersionId(), b.getAlternativeVersionId()]).toEqual([2, 2])
  })
  it('leaves a file that was edited since unchanged', async () => {
    const { a, b } = start()
    b.edit()
    a.undo()
    await settled()
    expect([a.getAlternativeVersionId(), b.getAlternativeVersionId()]).toEqual([1, 3])
  })
  it('is not undone by the undo of a later edit', async () => {
    const { a, b } = start()
    a.edit()
    a.undo()
    await settled()
    expect(b.getAlternativeVersionId()).toBe(2)
  })
})
