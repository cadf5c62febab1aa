/** `fusescope test`: runs the unit tests among the pattern files and prints each outcome. */
import { createSession } from '../engine/session/session'
import { failedAt, testFailed, testsSentence } from '../engine/cases/unit_tests'
import type { PythonTest } from '../engine/protocol'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { filesWithCalls } from './calls'
import { pythonLine, readInputs, workspaceOf } from './inputs'
import { complain, show, showConsole, writeJson } from './output'
import { BAD_INPUT, DONE, UNMET } from './status'

export async function testCommand(command: Extract<Command, { kind: 'test' }>): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) {
    complain(formatProblem(inputs.error))
    return BAD_INPUT
  }
  const session = createSession(nodeAssets())
  await session.ready
  const workspace = workspaceOf(command, inputs.value)
  const files = filesWithCalls(
    workspace.files,
    command.calls,
    (f) => session.analyze({ ...workspace, files: [...f] }).report.files,
  )
  const { python, tests, console: printed } = session.analyze({ ...workspace, files }).report
  for (const { text } of printed) showConsole(text)
  if (python) {
    complain(pythonLine(python, inputs.value.files))
    return BAD_INPUT
  }
  if (!tests) {
    complain(
      `${command.patterns.join(', ')}:1:1: no test was found; expected a test in a file called test_*.py or *_test.py.`,
    )
    return BAD_INPUT
  }
  if (command.json) writeJson({ tests })
  else show(1, [...tests.map(testText), testsSentence(tests)])
  return tests.some(testFailed) ? UNMET : DONE
}

function testText(test: PythonTest): string {
  const { outcome, name, message } = test
  const { file, line } = failedAt(test)
  return `${outcome}  ${file}:${line}: ${name}${message ? `: ${message}` : ''}`
}
