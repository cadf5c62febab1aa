/** Finds what the environment turned off in a run. */
import { guardsOf } from '../pipeline/guards'
import { nameOf } from '../pipeline/plan'
import type { StageGuard } from '../pipeline/types'
import type { SyntaxData } from '../../python/types'
import type { Run } from '../run/run'
import { guardsOfUnmade, isIn, skippedRegistrations } from './skipped'
import type { SwitchedOff } from './types'

type SyntaxOf = (text: string) => SyntaxData | null

/** Stages that are off or have no patterns, files that raised, and skipped registrations, with the deciding answers. */
export function switchedOff(run: Run, ask: SyntaxOf): SwitchedOff[] {
  const syntaxOf = once(ask)
  const { pipeline, files, registrations, outcomes } = run
  const { asked } = registrations.python
  const guards = (name: string) => guardsOf(name, asked, files, syntaxOf)
  const unmade = guardsOfUnmade(asked, files, syntaxOf)
  const nothing = { on: null, tried: 0 }
  const inactive = pipeline.plan.inactive.flatMap(({ name, why, stage, decidedBy }): SwitchedOff[] => {
    if (!stage || 'builtIn' in stage || !DECIDED.has(why)) return []
    const { passId } = stage.defined
    if (why === 'other-path' && (passId === null || registrations.registry.pass(passId).entries.length === 0)) return []
    // Its note says what it lacks.
    if (why === 'not-made' && stage.defined.why !== undefined) return []
    const deciding = why === 'not-made' ? unmade(stage.defined.of!) : decidedBy ? [decidedBy] : []
    return [{ what: 'stage', name, why, guards: deciding, ...nothing }]
  })
  const empty = pipeline.stages.flatMap(({ stage, pass }): SwitchedOff[] => {
    if (pass === null || pipeline.passes[pass]!.toExplain.entries.length > 0) return []
    const name = nameOf(stage)
    return [{ what: 'stage', name, why: 'no-patterns', guards: guards(name), ...nothing }]
  })
  const raised = outcomes.flatMap((f): SwitchedOff[] =>
    f.failure === null
      ? []
      : [
          {
            what: 'file',
            name: f.file,
            why: 'raised',
            guards: askedAt(run, f.file, f.failure.frames.findLast((frame) => isIn(frame.file, f.file))?.line),
            ...nothing,
          },
        ],
  )
  const skipped = skippedRegistrations(asked, files, syntaxOf).map(({ guards: own, file, lines }): SwitchedOff => ({
    what: 'registrations',
    name: file,
    lines,
    why: 'skipped',
    guards: own,
    ...nothing,
  }))
  const said = new Set(skipped.flatMap((s) => s.guards.map((g) => g.question)))
  const unsaid = empty.filter((o) => o.guards.length === 0 || o.guards.some((g) => !said.has(g.question)))
  return [...skipped, ...inactive, ...unsaid, ...raised]
}

/** Each class that nothing creates asks for the syntax of every file, and Python takes seconds for a folder. */
function once(ask: SyntaxOf): SyntaxOf {
  const known = new Map<string, SyntaxData | null>()
  return (text) => {
    let syntax = known.get(text)
    if (syntax === undefined) known.set(text, (syntax = ask(text)))
    return syntax
  }
}

const DECIDED: ReadonlySet<SwitchedOff['why']> = new Set(['not-applicable', 'other-path', 'not-made'])

/** The answers at the line that raised; if there are none, all answers that the file got. */
function askedAt({ registrations }: Run, file: string, line: number | undefined): StageGuard[] {
  const inFile = registrations.python.asked.flatMap(({ also = [], ...guard }) =>
    [guard.source, ...also].flatMap((source) => (source && isIn(source.file, file) ? [{ ...guard, source }] : [])),
  )
  const there = inFile.filter((g) => g.source.line === line)
  return there.length > 0 ? there : inFile
}
