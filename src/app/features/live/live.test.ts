// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Report } from '../../../engine/protocol'
import { markOwnText } from '../../../workspace/code_origin'
import { editedBy } from '../editor/edited_by'
import { useRun } from '../../session/run_store'
import * as sessions from '../../session/session'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import { check, isChecked } from './check'
import { differences, numbersText, processName, raises, verdictOn, verdictText, type OurVerdict } from './compare'
import { askProcess, forgetProcess, hasProcess, isFromProcess, rememberFromProcess, takeToken } from './process'
import { useLiveVerdict, useProcess } from './store'
import { startLive } from './watch'
import { graphOf, outcomeWith, resultOf } from '../../testing/run_state'

const TOKEN = 'a-token-of-the-process-0123456789'
const STATE = { version: 1, torch: '2.14.1+cpu', pid: 4711, program: 'train.py', allowed: true, runs: [] }
const VERDICT = {
  counts: { p: 2 },
  places: ['a', 'b'],
  ms: 41.2,
  operators: [],
  failed: [],
  messages: '',
  recording: null,
}

const reportOf = (...nodes: string[]): Report =>
  ({
    files: [],
    passes: [{ name: 'p', count: nodes.length, matches: nodes.map((node) => ({ node })), applyError: null }],
  }) as unknown as Report

const ours = (...nodes: string[]): OurVerdict => ({ passes: reportOf(...nodes).passes, raises: false })

const address = location.href

/** A process that answers from a table. */
function fake(answers: Record<string, (body: never) => Response>): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(async (url: URL, init: RequestInit) =>
    (answers[url.pathname.split('/').pop()!] ?? (() => new Response('', { status: 404 })))(
      JSON.parse(init.body as string) as never,
    ),
  )
  vi.stubGlobal('fetch', fetched)
  return fetched
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  useRun.setState(useRun.getInitialState(), true)
  useLiveVerdict.setState(useLiveVerdict.getInitialState(), true)
  forgetProcess()
  useProcess.setState({ state: null, ended: false })
  useWorkspace.getState().load(EMPTY_WORKSPACE, 'own:0', {})
  history.replaceState(null, '', address)
})

const raisedAt = (version: number) => ({
  outcome: { ...outcomeWith({ python: {} as never }).outcome, version },
})

describe('the process of a live page', () => {
  it('is named by the address once, and by the tab afterwards', async () => {
    history.replaceState(null, '', `#live=${TOKEN}`)
    const fetched = fake({ state: () => Response.json(STATE) })
    expect(takeToken()).toBe(true)
    expect(location.hash).toBe('')
    expect(takeToken()).toBe(false)
    expect(hasProcess()).toBe(true)
    expect(await askProcess('state', {})).toEqual(STATE)
    const [url, init] = fetched.mock.calls[0] as [URL, RequestInit]
    expect(url.origin).toBe(new URL(document.baseURI).origin)
    expect(new Headers(init.headers).get('x-fusescope-token')).toBe(TOKEN)
  })

  it('counts as ended if it refuses the page', async () => {
    history.replaceState(null, '', `#live=${TOKEN}`)
    fake({ state: () => new Response('', { status: 403 }) })
    expect(await startLive()).toBe(false)
    expect(useProcess.getState().ended).toBe(true)
  })

  it('gets no code but that of a workspace that was opened from it', async () => {
    history.replaceState(null, '', `#live=${TOKEN}`)
    takeToken()
    const fetched = fake({})
    useProcess.setState({ state: STATE })
    useRun.setState({ consent: 'own' })
    const open = (origin: string, foreign: null | { allowed: string | null } = null): void =>
      useWorkspace.getState().load(EMPTY_WORKSPACE, origin, { foreign })
    open('own:1')
    expect(isChecked()).toBe(false)
    rememberFromProcess('own:1')
    expect(isFromProcess('own:1')).toBe(true)
    expect(isChecked()).toBe(true)
    open('own:1', { allowed: null })
    expect(isChecked()).toBe(false)
    expect(await check()).toBeNull()
    expect(fetched).not.toHaveBeenCalled()
  })

  it('is asked about files that raise here, with the passes of the edit before', async () => {
    history.replaceState(null, '', `#live=${TOKEN}`)
    takeToken()
    const fetched = fake({ check: () => Response.json(VERDICT) })
    vi.spyOn(sessions, 'currentSession').mockReturnValue({ only: () => new AbortController().signal } as never)
    const files = [{ name: 'a.py', text: 'raise ValueError' }]
    useWorkspace.getState().load({ ...EMPTY_WORKSPACE, files }, 'own:1', {})
    rememberFromProcess('own:1')
    useProcess.setState({ state: STATE })
    const { workspace, version } = useWorkspace.getState()
    useRun.setState({ consent: 'own', ...graphOf(null, version), ...resultOf(reportOf('a')), ...raisedAt(version) })
    useLiveVerdict.setState({ script: { text: 'of the edit before', graph: workspace.graph.text } })
    expect(await check()).toEqual(VERDICT)
    const [, init] = fetched.mock.calls[0] as [URL, RequestInit]
    expect(JSON.parse(init.body as string)).toMatchObject({
      script: 'of the edit before',
      files: { 'a.py': 'raise ValueError' },
    })
  })
})

describe('who wrote a text', () => {
  const FILE = 'a.py'
  const typedOf = async (answer: object): Promise<unknown> => {
    const fetched = fake({ check: () => Response.json(answer) })
    vi.spyOn(sessions, 'currentSession').mockReturnValue({ only: () => new AbortController().signal } as never)
    const { workspace, version } = useWorkspace.getState()
    useRun.setState({ consent: 'own', ...graphOf(null, version), ...resultOf(reportOf('a')), ...raisedAt(version) })
    useLiveVerdict.setState({ script: { text: '', graph: workspace.graph.text } })
    await check()
    return (JSON.parse(fetched.mock.calls[0]![1].body as string) as { typed: unknown }).typed
  }

  it('reaches the process: a file name alone allows nothing', async () => {
    history.replaceState(null, '', `#live=${TOKEN}`)
    takeToken()
    rememberFromProcess('own:1')
    useProcess.setState({ state: STATE })
    const recorded = [{ name: FILE, text: 'recorded' }]
    recorded.forEach(markOwnText)
    const { load, setText, putFiles, restoreFiles } = useWorkspace.getState()
    load({ ...EMPTY_WORKSPACE, files: recorded }, 'own:1', {})
    setText(FILE, 'typed', 'user')
    expect(await typedOf(VERDICT)).toEqual([FILE])

    const before = useWorkspace.getState().workspace.files
    putFiles([{ name: FILE, text: 'dropped' }])
    setText(FILE, 'dropped, and typed in', 'user')
    expect(await typedOf({ asks: true, names: FILE, changes: '' })).toEqual([])
    restoreFiles(before, FILE)
    expect(await typedOf(VERDICT)).toEqual([FILE])

    setText(FILE, 'pasted')
    setText(FILE, 'undone to before', 'own')
    expect(await typedOf(VERDICT)).toEqual([FILE])
    load({ ...EMPTY_WORKSPACE, files: [{ name: FILE, text: 'typed' }] }, 'own:1', {})
    expect(await typedOf(VERDICT)).toEqual([])
    // The process ran it: it was allowed there.
    setText(FILE, 'typed on', 'user')
    expect(await typedOf(VERDICT)).toEqual([FILE])
  })

  it('is the user for keys, commands and fixes, and nobody known for a paste', () => {
    const by = (type: string | null, undo = false, wasOwn = false, text = 'x') =>
      editedBy(
        {
          isUndoing: undo,
          isRedoing: false,
          changes: [{ text }],
          ...(type && { detailedReasons: [{ getType: () => type }] }),
        } as never,
        wasOwn,
      )
    expect(['type', 'cut', 'executeCommands', 'pushEditOperation'].map((t) => by(t))).toEqual(Array(4).fill('user'))
    expect(['paste', 'setValue', 'of a later Monaco', null].map((t) => by(t))).toEqual(Array(4).fill('elsewhere'))
    expect(by('type', false, true, 'x'.repeat(1001))).toBe('elsewhere')
    expect([by('type', true, true), by('type', true, false)]).toEqual(['own', 'elsewhere'])
  })
})

describe('the two verdicts', () => {
  it('agree if counts and places do', () => {
    expect(differences(ours('b', 'a'), VERDICT)).toEqual([])
    expect(differences(ours('a'), VERDICT)).toEqual(['p: PyTorch 2, Fusescope 1'])
    expect(differences(ours('a', 'c'), VERDICT)).toEqual(['the places differ: PyTorch b, Fusescope c'])
    expect(differences(ours('a', 'b'), { ...VERDICT, counts: { p: null } })).toEqual([
      'p: not found in the process, Fusescope 2',
    ])
  })

  it('are errors where the files raise, never 0 matches', () => {
    const failed = {
      ...VERDICT,
      counts: { p: null },
      places: [],
      failed: ['a.py, line 1: SyntaxError: invalid syntax'],
    }
    const raised = verdictOn(1, { ...useRun.getInitialState(), ...raisedAt(1) })!
    expect([raises(failed), verdictText(failed), differences(raised, failed)]).toEqual([true, 'Error', []])
    expect(differences(ours('a'), failed)).toEqual(['PyTorch raises, Fusescope does not'])
    expect(differences(raised, VERDICT)).toEqual(['Fusescope raises, PyTorch does not'])
    const other = { ...VERDICT, failed: failed.failed }
    expect([raises(other), verdictText(other)]).toEqual([false, '2 matches, 41 ms'])
    expect(verdictText({ ...VERDICT, counts: {} })).toBe('no pass to apply')
  })

  it('fit on one line', () => {
    expect(`${processName(STATE)}: ${verdictText(VERDICT)}`).toBe('PyTorch 2.14.1, pid 4711: 2 matches, 41 ms')
    const numbers = { device: 'cpu', outputs: 1, differences: [], first: null, msBefore: 1, msAfter: 0.5 }
    expect(numbersText({ ...VERDICT, numbers })).toMatch(
      /^The values of 1 output hold; 1\.00 ms before, 0\.500 ms after/,
    )
    expect(numbersText({ ...VERDICT, noNumbers: 'Not compared.' })).toBe('Not compared.')
  })
})
