/** The process that serves this page: its answers (python/fusescope/live.py), and the token that the page's address held. */
import { keepText, keptJson } from '../../session/kept_text'
import { perPage } from '../../session/scope'

/** A graph that the process has recorded. */
export interface ProcessRun {
  run: number
  /** `0/0`; null outside torch.compile. */
  compile: string | null
  nodes: number
}

export interface ProcessState {
  /** Changes whenever the process records a pass, and when it allows the page to run files. */
  version: number
  torch: string
  pid: number
  /** `train.py` */
  program: string
  allowed: boolean
  runs: ProcessRun[]
}

/** The result of running the page's files in the process, on the recorded graph. */
export interface ProcessVerdict {
  /** Matches by pass; null if the process found no such pass. */
  counts: Record<string, number | null>
  /** Anchors of the matches, sorted. */
  places: string[]
  /** Time of applying the passes. */
  ms: number
  /** Operators that the files define but that the process already had: the process's own definitions ran. */
  operators: string[]
  /** The exceptions, one sentence each: files, then passes. */
  failed: string[]
  /** What files printed to stderr, such as the traceback of an import. */
  messages: string
  /** The recording of these passes: PyTorch's answer at each node. Null if nothing was recorded, or if it is too large. */
  recording: string | null
  /** Values and time before and after the passes, on the device that the graph names. */
  numbers?: ProcessNumbers
  /** Why no values were compared. */
  noNumbers?: string
  /** The graph as a case holds it, and the counts. */
  case?: { graph: string; readable: string; expected: object }
}

export interface ProcessNumbers {
  device: string
  outputs: number
  /** Differences of outputs, one sentence each. */
  differences: string[]
  /** The first node that both graphs have and whose value differs. */
  first: string | null
  msBefore: number
  msAfter: number
}

/** `error`: the files did not run. `asks`: nothing runs until the user allows these files, and their changes, in the process. */
export type CheckAnswer = ProcessVerdict | { error: string } | { asks: true; names: string; changes: string }

/** The process has another token, or does not know this page. */
export class NotAllowed extends Error {}

/** Stored in this tab's storage, which survives a reload and which no other tab reads. */
const KEY = 'fusescope:live'
const HASH = /^#live=([\w-]{20,100})$/

interface Kept {
  token: string
  /** Origins of the workspaces opened from the process. */
  origins: string[]
}

/** What this tab knows of its process; null if the page belongs to none. */
export function keptProcess(): Kept | null {
  const kept = keptJson(KEY, 'sessionStorage') as Kept | null
  return kept && typeof kept.token === 'string' && Array.isArray(kept.origins) ? kept : null
}

function keep(kept: Kept | null): void {
  keepText(KEY, kept && JSON.stringify(kept), 'sessionStorage')
  tab().kept = kept
}

/** The content of the tab's storage, kept in memory if the browser denies storage. */
const tab = perPage(() => ({ kept: keptProcess() }))
const known = (): Kept | null => tab().kept

/** True for a workspace that was opened from the process. */
export const isFromProcess = (origin: string): boolean => known()?.origins.includes(origin) ?? false

/** Remembers the origin of a workspace opened from the process. */
export function rememberFromProcess(origin: string): void {
  const kept = known()
  if (kept) keep({ ...kept, origins: [...kept.origins.slice(-50), origin] })
}

/** Removes the token from the address, which history and links would keep. @returns true if the address held one */
export function takeToken(): boolean {
  const [, token] = HASH.exec(location.hash) ?? []
  if (token === undefined) return false
  history.replaceState(history.state, '', location.pathname + location.search)
  keep({ token, origins: known()?.token === token ? known()!.origins : [] })
  return true
}

export const hasProcess = (): boolean => known() !== null

/** Forgets the process, for tests. */
export const forgetProcess = (): void => keep(null)

/**
 * Asks the process, which is the host of this page.
 * @throws NotAllowed, Error if it does not answer
 */
export async function askProcess<T>(
  path: 'state' | 'recording' | 'check',
  body: object,
  signal?: AbortSignal,
): Promise<T> {
  const response = await fetch(new URL(`live/${path}`, document.baseURI), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-fusescope-token': known()?.token ?? '' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  if (response.status === 403 || response.status === 404 || response.status === 405)
    throw new NotAllowed('The process that serves this page does not know it.')
  if (!response.ok) throw new Error(`The process answered ${response.status}.`)
  return (await response.json()) as T
}
