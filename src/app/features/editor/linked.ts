/** Links edits of several models that form one change: undo or redo in one model applies to all. */
import type { editor } from 'monaco-editor/editor/editor.api.js'

interface Member {
  model: editor.ITextModel
  /** Alternative version ids, which Monaco restores on undo and redo. */
  before: number
  after: number
}

export class Linked {
  private changes: Member[][] = []

  add(members: Member[]): void {
    if (members.length > 1) this.changes.push(members)
  }

  /** Must be called after each change of a model's text. */
  follow(model: editor.ITextModel, { isUndoing, isRedoing }: { isUndoing: boolean; isRedoing: boolean }): void {
    if (!isUndoing && !isRedoing) return
    const id = model.getAlternativeVersionId()
    for (const members of this.changes) {
      const own = members.find((m) => m.model === model)
      if (!own || id !== (isUndoing ? own.before : own.after)) continue
      for (const m of members) {
        // A model edited in the meantime keeps its text: undo there would revert the newer edit.
        if (m === own || m.model.isDisposed()) continue
        if (m.model.getAlternativeVersionId() !== (isUndoing ? m.after : m.before)) continue
        // Monaco's undo stack is locked during an undo; the next one starts after it.
        queueMicrotask(() => void (isUndoing ? m.model.undo() : m.model.redo()))
      }
    }
  }

  forget(model: editor.ITextModel): void {
    this.changes = this.changes.filter((members) => !members.some((m) => m.model === model))
  }
}
