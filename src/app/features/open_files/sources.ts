/** Imports dropped, opened or pasted files. Replaced content can be restored by undo. */
import { modelSource, tracingProgram, type Dump } from '../../../engine/dumps'
import { readClassPage } from '../../../workspace/class_page'
import { MAX_FILES, withRegistrations, type TextFile } from '../../../workspace'
import { sniff } from '../../files/sniff'
import { count } from '../../../base/english'
import { toast, toastUndo } from '../../session/view_store'
import { openOwn } from '../../session/open_workspace'
import { EMPTY_WORKSPACE, freeName, useWorkspace } from '../../session/workspace_store'
import { addGraphs, isFirstVisit, offerDump, offerText, openAlone } from './place_graphs'
import { takeCaptures } from './take_capture'
import { openClass } from '../lessons/class/store'
import { lessonInZip, playLessonFiles } from '../lessons/own/open_files'
import { graphsIn, readFile, safe } from '../../files/read_file'
import { messageOf } from '../../../base/error_message'
import { openSnapshotText } from '../share/share'

/** Imports one text. Returns its detected kind. */
export async function take(text: string, name: string): Promise<void> {
  const dropped = sniff(text, name)
  switch (dropped.kind) {
    case 'unusable':
      toast(dropped.message, { tone: 'bad' })
      return
    case 'snapshot':
      await openSnapshotText(text, name)
      return
    case 'class':
      openClass(readClassPage(text))
      return
    case 'capture':
      await takeCaptures([{ name, text }])
      return
    case 'kernel':
    case 'python':
      addCode(dropped, name)
      return
    case 'graph':
      if (!hasGraph(offerText(text, name))) offerTracing(text, name)
      if (dropped.patterns !== null) offerPatterns(dropped.patterns, name)
  }
}

/** A text without a graph counts as its own only graph, with the problem. */
const hasGraph = ({ kind, graphs, problems }: Dump): boolean =>
  kind !== 'text' || graphs.length !== 1 || problems.length === 0

/** Offers to trace the model in a text without a graph: the Console then shows its graph. */
function offerTracing(text: string, name: string): void {
  const source = modelSource(text, false)
  const { model } = source
  if (model === null) return
  const program = tracingProgram(source, `${model}()`, `The graph of ${model}:`)
  toast(`${name} has the source of ${model}.`, {
    action: {
      label: 'Trace it: the Console prints its graph',
      run: () => addCode({ kind: 'python', text: program }, name),
    },
  })
}

/** Offers the Python of a text that also holds a graph: code that a stranger pasted into an issue does not run unasked. */
function offerPatterns(text: string, name: string): void {
  toast(`${name} also has Python that registers patterns.`, {
    action: { label: 'Add it as a pattern file', run: () => addCode({ kind: 'python', text }, name) },
  })
}

/** Adds a Python file or a kernel to the workspace, replacing empty files. */
function addCode({ kind, text }: { kind: 'python' | 'kernel'; text: string }, name: string): void {
  const stem = name.replace(/\.\w+$/, '')
  const reopen = isFirstVisit() ? openOwn({ workspace: { ...EMPTY_WORKSPACE, name: stem } }) : null
  const { workspace, openFile, putFiles, restoreFiles } = useWorkspace.getState()
  const { files } = workspace
  const full = files.filter((f) => f.text.trim() !== '')
  if (full.length >= MAX_FILES)
    return toast(`${name} was not added: a workspace holds at most ${MAX_FILES} files.`, { tone: 'bad' })
  const added = freeName(
    kind === 'kernel' ? `${safe(stem)}.wgsl` : pythonName(name),
    full.map((f) => f.name),
  )
  putFiles([{ name: added, text: kind === 'python' ? (withRegistrations(text) ?? text) : text }])
  toastUndo(
    `${added} added to the ${kind === 'kernel' ? 'files' : 'Python files'}.`,
    reopen ?? (() => restoreFiles(files, openFile)),
  )
}

/** Reads files; reports those that cannot be read. Several graphs are added side by side. */
export async function takeFiles(files: Iterable<File>): Promise<void> {
  const texts: TextFile[] = []
  const dumps: { name: string; dump: Dump }[] = []
  for (const file of files)
    try {
      const lesson = await lessonInZip(file)
      if (lesson) {
        await playLessonFiles(lesson, file.name)
        continue
      }
      const read = await readFile(file)
      if (typeof read === 'string') texts.push({ name: file.name, text: read })
      else dumps.push({ name: file.name, dump: read })
    } catch (e) {
      toast(`${file.name} could not be read: ${messageOf(e)}`, { tone: 'bad' })
    }
  const kinds = new Map(texts.map((f) => [f, sniff(f.text, f.name).kind]))
  const graphs = texts.filter((f) => kinds.get(f) === 'graph')
  const captures = texts.filter((f) => kinds.get(f) === 'capture')
  for (const f of texts) if (!graphs.includes(f) && !captures.includes(f)) await take(f.text, f.name)
  if (captures.length > 0) await takeCaptures(captures)
  if (graphs.length + dumps.length < 2) {
    for (const f of graphs) offerText(f.text, f.name)
    for (const { name, dump } of dumps) offerDump(dump, name)
    return
  }
  const read = [...graphs.map((f) => graphsIn(f.text, f.name)), ...dumps.map((d) => graphsIn(d.dump, d.name))]
  const all = read.flat()
  // One graph per file: the user has chosen already.
  const alone = all.map((g) => ({ name: safe(g.title), text: g.text }))
  if (read.every((r) => r.length === 1)) (isFirstVisit() ? openAlone : addGraphs)(alone)
  else offerDump({ kind: 'text', graphs: all, best: 0, problems: [] }, count(read.length, 'file'))
}

const pythonName = (name: string): string =>
  /\.py$/i.test(name) ? safe(name) : `${safe(name.replace(/\.\w+$/, ''))}.py`
