/** `fusescope test`: runs the unit tests among the pattern files and prints each outcome. */
import { failedAt, testFailed, testsSentence } from '../engine/cases/unit_tests'
import type { PythonTest } from '../engine/protocol'
import { formatProblem } from '../fx'
import type { Command } from './args'
import { calledFiles, startSession } from './calls'
import { pythonLine, readInputs, workspaceOf } from './inputs'
import { bad, show, showConsole, writeJson } from './output'
import { DONE, UNMET } from './status'

export async function testCommand(command: Extract<Command, { kind: 'test' }>): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) return bad(formatProblem(inputs.error))
  const session = await startSession()
  const workspace = workspaceOf(command, inputs.value)
  const files = calledFiles(session, workspace, command.calls)
  const { python, tests, console: printed } = session.analyze({ ...workspace, files }).report
  for (const { text } of printed) showConsole(text)
  if (python) return bad(pythonLine(python, inputs.value.files))
  if (!tests)
    return bad(
      `${command.patterns.join(', ')}:1:1: no test was found; expected a test in a file called test_*.py or *_test.py.`,
    )
  if (command.json) writeJson({ tests })
  else show(1, [...tests.map(testText), testsSentence(tests)])
  return tests.some(testFailed) ? UNMET : DONE
}

function testText(test: PythonTest): string {
  const { outcome, name, message } = test
  const { file, line } = failedAt(test)
  return `${outcome}  ${file}:${line}: ${name}${message ? `: ${message}` : ''}`
}
