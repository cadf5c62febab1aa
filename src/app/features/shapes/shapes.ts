/** The shapes that the user gives to a graph without shapes: the table's state, and its edits with undo. */
import type { GraphShapes, Report, ShapeRow } from '../../../engine/protocol'
import { count } from '../../../base/english'
import { useWorkspace } from '../../session/workspace_store'
import type { Command } from '../../commands/types'
import { useRun } from '../../session/run_store'
import { createSessionStore } from '../../session/session_store'

/** Shapes by node name, from the workspace. */
export type InputShapes = Readonly<Record<string, string>>

export const useShapes = createSessionStore(() => ({
  open: false,
  /** Shapes before each edit, the oldest first. */
  past: [] as readonly InputShapes[],
  /** The row of the last edit, while its keystrokes count as one edit. */
  typingIn: null as string | null,
}))

/** Opens the table of inputs; the first field without a shape takes the focus. */
export const openShapes = (): void => useShapes.setState({ open: true })

export const OPEN_SHAPES: Command = {
  id: 'shapes',
  title: 'Give shapes to the inputs of the graph',
  group: 'Graph',
  keys: ['D'],
  enabled: () => useRun.getState().result.value?.shapes !== undefined,
  run: openShapes,
}

/** The shapes on screen, which may be newer than the report. */
export const givenShapes = (): InputShapes => useWorkspace.getState().workspace.inputShapes ?? {}

/** Sets a node's shape, or removes it (null). Undoable. @param typing true for a keystroke: keystrokes in one field are one edit */
export function giveShape(name: string, text: string | null, typing = false): void {
  const { [name]: old, ...others } = givenShapes()
  if ((old ?? null) === text) return
  change(text === null ? others : { ...others, [name]: text }, typing ? name : null)
}

/** Sets every row's guessed shape, where the guess is complete. Undoable. */
export function acceptGuesses(rows: readonly ShapeRow[]): void {
  const guesses = rows.filter(isAcceptable).map((r) => [r.name, r.guess!.text] as const)
  if (guesses.length > 0) change({ ...givenShapes(), ...Object.fromEntries(guesses) })
}

/** A row without a shape whose guess has all sizes. */
export const isAcceptable = (row: ShapeRow): boolean =>
  !(row.name in givenShapes()) && row.guess !== null && !row.guess.text.includes('?')

/** Undoes the last edit of shapes. */
export function undoShapes(): void {
  const { past } = useShapes.getState()
  const last = past.at(-1)
  if (!last) return
  useShapes.setState({ past: past.slice(0, -1), typingIn: null })
  useWorkspace.getState().setInputShapes(last)
}

function change(next: InputShapes, typingIn: string | null = null): void {
  const { past, typingIn: before } = useShapes.getState()
  const same = typingIn !== null && typingIn === before
  useShapes.setState({ past: same ? past : [...past.slice(-99), givenShapes()], typingIn })
  useWorkspace.getState().setInputShapes(next)
}

/** "12 of 12 inputs have no shape."; null if all have one. */
export function noticeText({ rows, without }: GraphShapes): string | null {
  const assumed = rows.filter((r) => r.guess?.used).length
  const lead =
    without === 0 ? null : `${without} of ${count(rows.length, 'input')} ${without === 1 ? 'has' : 'have'} no shape`
  const rest = assumed === 0 ? null : `${count(assumed, 'shape is', 'shapes are')} assumed`
  const parts = [lead, rest].filter((p) => p !== null)
  return parts.length === 0 ? null : `${parts.join('; ')}.`
}

/** Names of the rows whose shapes some places need. */
export const neededRows = (report: Report): Set<string> =>
  new Set(report.passes.flatMap((p) => (p.unshaped ?? []).flatMap((place) => place.inputs)))
