/** Links edits of several models that form one change: undo or redo in one model applies to all. */
import type { editor } from 'monaco-editor/editor/editor.api.js'

interface Member {
  model: editor.ITextModel
  /** Alternative version ids: they come back when a change is undone or done again. */
  before: number
  after: number
}

export class Linked {
  private changes: Member[][] = []

  add(members: Member[]): void {
    if (members.length > 1) this.changes.push(members)
  }

  /** To be called at each change of a model's text. */
  follow(model: editor.ITextModel, { isUndoing, isRedoing }: { isUndoing: boolean; isRedoing: boolean }): void {
    if (!isUndoing && !isRedoing) return
    const id = model.getAlternativeVersionId()
    for (const members of this.changes) {
      const own = members.find((m) => m.model === model)
      if (!own || id !== (isUndoing ? own.before : own.after)) continue
      for (const m of members) {
        // One that was edited since keeps its text: undoing there would take back the newer edit.
        if (m === own || m.model.isDisposed()) continue
        if (m.model.getAlternativeVersionId() !== (isUndoing ? m.after : m.before)) continue
        // The undo under way holds its own stack; the next one begins when it is through.
        queueMicrotask(() => void (isUndoing ? m.model.undo() : m.model.redo()))
      }
    }
  }

  forget(model: editor.ITextModel): void {
    this.changes = this.changes.filter((members) => !members.some((m) => m.model === model))
  }
}
