/** The Steps panel, and the commands that move in the open timeline. The arrow keys belong to the list, the other keys to the open panel. */
import { inGroup, type Command } from '../../commands/types'
import { focusSteps, openSteps, stepsPart } from '../../on_screen/steps/timeline_requests'
import {
  breakpointOf,
  moved,
  nextBreakpoint,
  nextMismatch,
  out,
  over,
  rowCount,
  stepAtRow,
  type Breakpoint,
  type IndexedTimeline,
} from '../../on_screen/steps/timeline'
import { passNamed } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { togglePlay } from './play'
import { useSteps, type StepsState } from '../../on_screen/steps/store'
import { useView } from '../../session/view_store'
import type { Feature } from '../types'
import { StepsPanel } from './StepsPanel'

type Target = (s: StepsState & { indexed: IndexedTimeline }) => number | null

const hasTimeline = (): boolean => useSteps.getState().timeline.value !== null
const isOpen = (): boolean => useView.getState().places.tabs === 'steps' && hasTimeline()
const inList = (): boolean => isOpen() && document.activeElement?.closest('[data-steps-list]') != null

/** A command that goes to the step that `target` returns; disabled if it returns null. */
function move(
  id: string,
  title: string,
  keys: readonly string[],
  target: Target,
  keysWhen = isOpen,
): Omit<Command, 'group'> {
  const to = (): number | null => {
    const state = useSteps.getState()
    const indexed = state.timeline.value
    return indexed && target({ ...state, indexed })
  }
  return {
    id,
    title,
    keys,
    keysWhen,
    enabled: () => to() !== null,
    run() {
      useView.getState().setPanel('steps')
      useSteps.getState().goTo(to()!)
    },
  }
}

const COMMANDS = inGroup('Steps', [
  {
    id: 'step-through',
    title: 'Step through the match at the selected node',
    enabled: () => anchorOfSelection() !== null,
    run: () => void openSteps(anchorOfSelection()!),
  },
  move('step-forward', 'Next step', ['ArrowDown', 'ArrowRight'], (s) => moved(s.indexed, s.level, s.at, 1), inList),
  move('step-back', 'Previous step', ['ArrowUp', 'ArrowLeft'], (s) => moved(s.indexed, s.level, s.at, -1), inList),
  move(
    'step-over',
    'Step over',
    ['Shift+ArrowDown', 'Shift+ArrowRight'],
    (s) => over(s.indexed, s.level, s.at),
    inList,
  ),
  move('step-out', 'Step out', ['Shift+ArrowUp', 'Shift+ArrowLeft'], (s) => out(s.indexed, s.level, s.at), inList),
  move('step-page-on', 'Next page of steps', ['PageDown'], (s) => page(s, 1), inList),
  move('step-page-back', 'Previous page of steps', ['PageUp'], (s) => page(s, -1), inList),
  move('step-first', 'First step', ['Home'], (s) => (s.at === 0 ? null : 0), inList),
  move('step-last', 'Last step', ['End'], lastStep, inList),
  move('step-next-mismatch', 'Run to the next mismatch', ['N'], (s) => nextMismatch(s.indexed, s.level, s.at, 1)),
  move('step-previous-mismatch', 'Run back to the previous mismatch', ['Shift+N'], (s) =>
    nextMismatch(s.indexed, s.level, s.at, -1),
  ),
  move('step-next-breakpoint', 'Run to the next breakpoint', ['F8'], (s) => runTo(s, 1)),
  move('step-previous-breakpoint', 'Run back to the previous breakpoint', ['Shift+F8'], (s) => runTo(s, -1)),
  {
    id: 'step-play',
    title: 'Play the steps, or stop',
    keys: ['Shift+P'],
    keysWhen: isOpen,
    enabled: hasTimeline,
    run: togglePlay,
  },
  {
    id: 'step-stop-at-failure',
    title: 'Stop playing where a comparison fails, or play on',
    enabled: hasTimeline,
    run: () => useSteps.setState((s) => ({ stopsAtFailure: !s.stopsAtFailure })),
  },
  {
    id: 'step-link',
    title: 'Share a link to this step',
    enabled: hasTimeline,
    run() {
      const { at, goTo } = useSteps.getState()
      // A link holds the selection, which is the step.
      goTo(at)
      useView.getState().setOverlay('share')
    },
  },
  {
    id: 'step-break-pattern',
    title: 'Set or clear a breakpoint on the step’s pattern node',
    keys: ['B'],
    keysWhen: isOpen,
    enabled: () => here() !== null,
    run: () => toggle(here()),
  },
  {
    id: 'step-break-graph',
    title: 'Set or clear a breakpoint on the graph node',
    keys: ['Shift+B'],
    keysWhen: isOpen,
    enabled: () => graphNode() !== null,
    run: () => toggle(graphNode()),
  },
  {
    id: 'step-level',
    title: 'Switch between coarse and fine steps',
    keys: ['L'],
    keysWhen: isOpen,
    enabled: hasTimeline,
    run: () => useSteps.getState().setLevel(useSteps.getState().level === 'fine' ? 'coarse' : 'fine'),
  },
])

/** Opens the panel on the selection, or on the open timeline. */
function openStepsPanel(): void {
  const of = anchorOfSelection()
  const open = useSteps.getState().of
  useView.getState().setPanel('steps')
  if (of && (!open || open.node !== of.node || open.pass !== of.pass)) void openSteps(of)
  else focusSteps()
}

/** Number of rows that PageUp and PageDown move. */
const PAGE = 12

function page(s: Parameters<Target>[0], by: 1 | -1): number | null {
  const far = moved(s.indexed, s.level, s.at, by * PAGE)
  if (far !== null) return far
  return by > 0 ? lastStep(s) : s.at === 0 ? null : 0
}

function lastStep(s: Parameters<Target>[0]): number | null {
  const last = stepAtRow(s.indexed, s.level, rowCount(s.indexed, s.level) - 1)
  return s.at === last ? null : last
}

const runTo = (s: Parameters<Target>[0], by: 1 | -1): number | null =>
  s.breakpoints.length === 0 ? null : nextBreakpoint(s.indexed, s.level, s.at, by, s.breakpoints)

function here(): Breakpoint | null {
  const { timeline, at } = useSteps.getState()
  const indexed = timeline.value
  const step = indexed?.steps[at]
  return step && indexed ? breakpointOf(step, passNamed(useRun.getState().result.value, indexed.timeline.pass)) : null
}

/** The node selected on the canvas, else the current step's. */
function graphNode(): Breakpoint | null {
  const { selection } = useView.getState()
  const { timeline, at } = useSteps.getState()
  const indexed = timeline.value
  const node = selection?.kind === 'node' ? selection.name : (indexed?.steps[at]?.graphNode ?? null)
  return node === null ? null : { kind: 'graph', node }
}

function toggle(breakpoint: Breakpoint | null): void {
  if (breakpoint) useSteps.getState().toggle(breakpoint)
}

/** The subject of a selection: a node's attempts, a match or a near miss. */
function anchorOfSelection(): { pass: string; entry: number | null; node: string } | null {
  const { selection } = useView.getState()
  const report = useRun.getState().result.value
  if (!selection || !report) return null
  if (selection.kind === 'match' || selection.kind === 'nearMiss') {
    const pass = passNamed(report, selection.pass)
    const match = selection.kind === 'match' ? pass?.matches.find((m) => m.index === selection.index) : undefined
    const miss = selection.kind === 'nearMiss' ? pass?.nearMisses.find((m) => m.index === selection.index) : undefined
    const place = selection.kind === 'nearMiss' ? selection.place : undefined
    const node = match?.node ?? (miss && (place ?? miss.anchors[0]))
    const entry = match?.entry ?? miss?.entry
    return node === undefined || entry === undefined ? null : { pass: selection.pass, entry, node }
  }
  if (selection.kind !== 'node' || selection.side !== 'before') return null
  const tried = report.passes.find((p) => p.attempts.some((a) => a.node === selection.name)) ?? report.passes[0]
  return tried ? { pass: tried.name, entry: null, node: selection.name } : null
}

export const stepsFeature: Feature = {
  panel: {
    id: 'steps',
    label: 'Steps',
    title: 'Steps: step through a match',
    key: 'S',
    open: openStepsPanel,
    transient: true,
    Component: StepsPanel,
  },
  commands: COMMANDS,
  sessionPart: stepsPart,
}
