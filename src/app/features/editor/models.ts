/**
 * One Monaco model per tab, created when the tab is first opened and kept, so that its undo history survives. The
 * workspace store is the source of truth: text set from elsewhere becomes an undoable edit of the model.
 */
import type { editor, Uri } from 'monaco-editor/editor/editor.api.js'
import type { TextEdit } from '../../../engine/protocol'
import type { TextFile, Workspace } from '../../../workspace/types'
import { isOwnText, type EditedBy } from '../../../workspace/code_origin'
import { runEnded } from '../../session/run_store'
import { tabsOf } from '../../session/workspace_store'
import { editedBy } from './edited_by'
import { Linked } from './linked'
import { monaco } from './monaco'

interface Held {
  name: string
  model: editor.ITextModel
  /** The store's text at the last synchronization. */
  text: string
  /** Alternative version ids of texts that the user wrote; Monaco restores the ids on undo and redo. */
  own: Set<number>
}

export class Models {
  private held: Held[] = []
  private order: string[] = []
  private key: string | null = null
  private rewound = 0
  private applying = false
  private created = 0
  private readonly linked = new Linked()

  /** @param onEdit returns true if the text is the user's own now */
  constructor(private readonly onEdit: (name: string, text: string, by: EditedBy) => boolean) {}

  /**
   * Synchronizes the models with the workspace. A new key drops the models, so undo cannot cross it.
   * @param rewound number of workspace undos; a text that such an undo restores restarts the model's own undo history
   */
  sync(workspace: Workspace, key: string, rewound: number): void {
    if (this.key !== key) this.dispose()
    this.key = key
    const anew = rewound !== this.rewound
    this.rewound = rewound
    const tabs = tabsOf(workspace)
    this.follow(tabs)
    // The model of a graph that is not shown is kept too.
    const texts = [...tabs, ...(workspace.graphs ?? [])]
    for (const h of [...this.held]) {
      const tab = texts.find((t) => t.name === h.name)
      if (!tab) this.drop(h)
      else if (h.text !== tab.text) this.replace(h, tab, anew)
    }
    this.order = tabs.map((t) => t.name)
  }

  /** The model of a tab; null if the tab does not exist. */
  open(workspace: Workspace, name: string): editor.ITextModel | null {
    const found = this.held.find((h) => h.name === name)
    if (found) return found.model
    const tab = tabsOf(workspace).find((t) => t.name === name)
    if (!tab) return null
    const language = name.endsWith('.wgsl') ? 'wgsl' : workspace.files.some((f) => f.name === name) ? 'python' : 'fx'
    const model = monaco.editor.createModel(tab.text.replace(/\r\n?/g, '\n'), 'plaintext', this.newUri(name))
    highlight(model, language)
    model.updateOptions({
      tabSize: 4,
      insertSpaces: true,
      // Coloring brackets parses the whole text in one frame: 60 ms for a graph of 3,000 nodes.
      bracketColorizationOptions: { enabled: language !== 'fx', independentColorPoolPerBracketType: false },
    })
    const held: Held = { name, model, text: tab.text, own: new Set() }
    noteOwn(held, isOwnText(tab))
    model.onDidChangeContent((e) => {
      if (this.applying) return
      held.text = model.getValue()
      noteOwn(held, this.onEdit(held.name, held.text, editedBy(e, held.own.has(model.getAlternativeVersionId()))))
      this.linked.follow(model, e)
    })
    this.held.push(held)
    return model
  }

  /**
   * Applies edits of one or more files as one change: undo in one of them undoes all. @returns a function that undoes
   * the change; null, with nothing changed, if a file does not exist
   */
  edit(workspace: Workspace, files: ReadonlyMap<string, readonly TextEdit[]>): (() => void) | null {
    const changes = [...files].map(([name, edits]) => ({ model: this.open(workspace, name), edits }))
    const members = changes.flatMap(({ model, edits }) => {
      if (!model || changes.some((c) => c.model === null)) return []
      const before = model.getAlternativeVersionId()
      model.pushStackElement()
      model.pushEditOperations(
        [],
        edits.map(({ from, to, text }) => ({
          range: new monaco.Range(from.line, from.column, to.line, to.column),
          text,
        })),
        () => null,
      )
      model.pushStackElement()
      return [{ model, before, after: model.getAlternativeVersionId() }]
    })
    this.linked.add(members)
    const first = members[0]
    return first ? () => void (first.model.getAlternativeVersionId() === first.after && first.model.undo()) : null
  }

  /** The list of references shows the model's path. A file may be renamed and its name reused, hence the number. */
  private newUri(name: string): Uri {
    return monaco.Uri.from({ scheme: 'workspace', authority: String(++this.created), path: `/${name}` })
  }

  nameOf(model: editor.ITextModel | null): string | null {
    return this.held.find((h) => h.model === model)?.name ?? null
  }

  dispose(): void {
    for (const h of [...this.held]) this.drop(h)
    this.order = []
  }

  /** Keeps the model of a renamed tab. A rename is one name replaced by another at the same index. */
  private follow(tabs: readonly TextFile[]): void {
    if (tabs.length !== this.order.length) return
    tabs.forEach((t, i) => {
      const old = this.order[i]!
      if (old === t.name || tabs.some((x) => x.name === old)) return
      const h = this.held.find((x) => x.name === old)
      if (h && h.text === t.text) h.name = t.name
    })
  }

  private drop(h: Held): void {
    this.linked.forget(h.model)
    h.model.dispose()
    this.held = this.held.filter((x) => x !== h)
  }

  private replace(held: Held, tab: TextFile, anew: boolean): void {
    const { model } = held
    const { text } = tab
    held.text = text
    if (model.getValue() === text) return
    const language = model.getLanguageId()
    if (text.length > LARGE) monaco.editor.setModelLanguage(model, 'plaintext')
    this.applying = true
    try {
      if (anew) return model.setValue(text)
      model.pushStackElement()
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
      model.pushStackElement()
    } finally {
      this.applying = false
      noteOwn(held, isOwnText(tab))
      highlight(model, language)
    }
  }
}

function noteOwn({ model, own }: Held, isOwn: boolean): void {
  if (isOwn) own.add(model.getAlternativeVersionId())
}

/** Length, in characters, from which a text is highlighted only after the report: a graph of about 5,000 nodes. */
const LARGE = 500_000

/** Highlighting runs on the page's thread, for seconds where a text is large, while the engine reads the same text. */
function highlight(model: editor.ITextModel, language: string): void {
  const set = (): void => {
    if (!model.isDisposed() && model.getLanguageId() !== language) monaco.editor.setModelLanguage(model, language)
  }
  if (model.getValueLength() <= LARGE) return set()
  // In a separate task, so that the run of this edit has begun.
  setTimeout(() => void runEnded().then(set))
}
