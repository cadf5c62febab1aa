/** `?from=URL`: asks, loads a file from another host, and opens it as a workspace whose code needs consent. */
import { fnv1a } from '../../../base/hash'
import { sha256 } from '../../../base/sha256'
import { messageOf } from '../../../base/error_message'
import { formatProblem, type Dump } from '../../../engine/dumps'
import { FOREIGN } from '../../../workspace/code_origin'
import { openRun, readChoice } from '../../files/open_capture'
import { linkOrigin } from '../share/bases'
import { openSnapshotText, type SourceName } from '../share/share'
import { openDraft } from '../../examples/examples'
import { earlierOf, offerEdits, type Sent } from '../../session/kept_draft'
import { rememberOrigin } from '../../session/kept_ids'
import { openWorkspace } from '../../session/open_workspace'
import { toast } from '../../session/view_store'
import { EMPTY_WORKSPACE } from '../../session/workspace_store'
import { withRegistrations } from '../../../workspace'
import { loadRemote } from './load_remote'
import { offerDump } from './place_graphs'
import { perPage } from '../../session/scope'
import { answerTo, askRun } from '../../files/question'
import { remoteFile, type RemoteFile } from './raw_address'
import { dumpIn, readFile, safe } from '../../files/read_file'
import { sniff } from '../../files/sniff'

/** The address in `?from=URL`; null if the page's address has none. */
export const askedSource = (): string | null => new URLSearchParams(location.search).get('from')

/** Identifies it, so that its edits are stored as edits of this address. */
const nameOf = (from: string): Required<SourceName> => ({
  id: `from-${sha256(from)}`,
  earlier: `from-${fnv1a(from).toString(36)}`,
  source: from,
})

/** Where the edits of its workspace are kept. */
export function sentFrom(from: string): Sent {
  const { id, earlier, source } = nameOf(from)
  return { id: linkOrigin(id, null), earlier: linkOrigin(earlier, null), source }
}

/** True if the page's address names this workspace by `?from=`. */
export function isSource(origin: string): boolean {
  const from = askedSource()
  if (from === null) return false
  const own = sentFrom(from).id
  // A snapshot that builds on an example has the example's hash in its origin.
  return origin === own || origin.startsWith(`${own}@`)
}

/** A file with the address that names it. */
type AskedFile = RemoteFile & { from: string }

/** Files that were loaded since the page opened, for Back and Forward. */
const loaded = perPage(() => new Map<string, File>())

/** @returns false, with a sentence on screen, if nothing was opened */
export async function openSource(from: string): Promise<boolean> {
  try {
    const file = remoteFile(from, location.href)
    if (!file.ok) throw new Error(file.error)
    const known = loaded().get(file.value.url)
    if (!known && !file.value.own && !(await answerTo<true>((answer) => ({ kind: 'source', ...file.value, answer }))))
      return false
    const read = known ?? (await loadRemote(file.value))
    loaded().set(file.value.url, read)
    await place(await readFile(read), { ...file.value, from })
    return true
  } catch (e) {
    toast(messageOf(e), { tone: 'bad' })
    return false
  }
}

/** @throws Error, one plain sentence, if it cannot be opened */
async function place(read: string | Dump, file: AskedFile): Promise<void> {
  const { name } = file
  const { id: origin, source } = sentFrom(file.from)
  if (typeof read !== 'string') return placeGraph(read, file)
  if (/^\s*<(!doctype\s+html|html)\b/i.test(read))
    throw new Error(`${file.host} answered with a web page, not a file: use the address of the raw file.`)
  const text = read.trimEnd()
  const kind = sniff(text, name)
  switch (kind.kind) {
    case 'unusable':
      throw new Error(kind.message)
    case 'snapshot':
      // A sentence about the problem is on screen already.
      await openSnapshotText(text, name, nameOf(file.from))
      return
    case 'capture':
      return placeCapture(read, file)
    case 'python':
    case 'kernel': {
      const stem = safe(name.replace(/\.\w+$/, ''))
      const code = kind.kind === 'python' ? (withRegistrations(read) ?? read) : read
      const opened = { name: `${stem}${kind.kind === 'python' ? '.py' : '.wgsl'}`, text: code }
      const workspace = { ...EMPTY_WORKSPACE, name, files: [opened] }
      rememberOrigin(origin)
      openWorkspace({ workspace, origin, source, foreign: FOREIGN, openFile: opened.name })
      return offerEdits(earlierOf(sentFrom(file.from)), openDraft)
    }
    case 'graph':
      return placeGraph(dumpIn(read, name), file)
  }
}

function placeGraph(dump: Dump, { name, host, from }: AskedFile): void {
  const { id: origin, source } = sentFrom(from)
  const [problem] = dump.problems
  if (dump.graphs.length === 0)
    throw new Error(problem ? formatProblem(problem) : `${name} of ${host} holds no graph, no Python and no workspace.`)
  rememberOrigin(origin)
  openWorkspace({ workspace: { ...EMPTY_WORKSPACE, name }, origin, source, foreign: FOREIGN })
  offerDump(dump, name)
  offerEdits(earlierOf(sentFrom(from)), openDraft)
}

async function placeCapture(text: string, { name, from }: AskedFile): Promise<void> {
  const choice = readChoice(text, name)
  if (!choice) return
  const run = await askRun(choice)
  const { id: origin, source } = sentFrom(from)
  if (run !== null) openRun(choice, run, { origin, source, foreign: FOREIGN })
}
