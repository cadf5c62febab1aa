/** The text of lib/_fusescope/engine.py, not formatted: a function for each call of Python. */
import { EDITS, READS, TO_ENGINE, TO_PYTHON } from './table'
import { pythonSignature, signatureOf } from './types'

/** The function of bridge.py that sends a call. */
const senderOf = (kind: string): string =>
  Object.hasOwn(READS, kind) ? 'read' : Object.hasOwn(EDITS, kind) ? 'edited' : 'call'

function functionOf([kind, written]: [kind: string, written: string]): string {
  const names = signatureOf(written).parameters.map((p) => p.name)
  return `def ${kind}${pythonSignature(written)}:\n    return ${senderOf(kind)}(${[`"${kind}"`, ...names].join(', ')})\n`
}

export function engineModule(): string {
  const phases = Object.entries(TO_PYTHON).flatMap(([phase, calls]) =>
    Object.keys(calls).map((kind) => `    "${kind}": "${phase}",\n`),
  )
  // bridge.op sends `op`.
  const own = Object.entries(TO_ENGINE).filter(([kind]) => kind !== 'op')
  return [
    '"""The calls into the engine, and the phase of a run of each call from it. Made from src/python/calls/table.ts by `npm run tables`.\nReason for length: one function for each call.\n"""\n',
    'from collections.abc import Sequence\nfrom typing import Any\n\nfrom .bridge import call, edited, read\n',
    `PHASES = {\n${phases.join('')}}\n`,
    ...own.map(functionOf),
  ].join('\n')
}
