/** Calls between the engine and Python, each [kind, …payload] as JSON, and exceptions that pass through both. */
import { messageOf } from '../base/error_message'
import { PythonError } from '../matcher/types'
import { TorchError } from '../trace/types'
import { cutText, MAX_STRING, parseAnswer, parseCall, withStringsCut } from './bounds'
import { hasAnswerForm } from './calls/run_form'
import { PYTHON_SIGNATURES, type PythonAnswer, type PythonArguments, type PythonCall } from './calls/table'
import type { Check } from './calls/checks'
import { checkOf, signatureOf } from './calls/types'
import { sourceOfFrame } from './registration'
import type { PythonErrorJson } from './run_json'
import type { Json } from './wire'

type Answer<T> = { ok: T } | { error: PythonErrorJson }

export class Channel {
  /** Python's single entry point: a call → an Answer as JSON. */
  toPython: (text: string) => string = () => {
    throw new Error('Python is not connected')
  }
  /** True after the interpreter has terminated. */
  broken = false
  /** A Python exception that passes through the tracer back into Python, which keeps the original. */
  private passing: PythonError | null = null

  /** @param answer handles a call from Python */
  constructor(private readonly answer: (kind: string, payload: Json[]) => Json) {}

  /** Resets the state for a new run. */
  forget(): void {
    this.passing = null
  }

  /** @throws PythonError for an exception in Python */
  call<K extends PythonCall>(kind: K, ...args: PythonArguments<K>): PythonAnswer<K> {
    const sent = this.send(JSON.stringify([kind, ...args]))
    const answer = answerOf<PythonAnswer<K>>(sent, READ_BY_PEOPLE.has(kind))
    if ('ok' in answer) {
      if (!ANSWERS[kind](answer.ok)) throw changed()
      return answer.ok
    }
    const { type, message, frames } = answer.error
    this.passing = new PythonError(type, message, frames.map(sourceOfFrame))
    throw this.passing
  }

  /** Handles a call from Python. Returns {ok} or the exception to raise. */
  receive(text: string): string {
    try {
      const [kind, ...payload] = parseCall(text) as [string, ...Json[]]
      return JSON.stringify({ ok: this.answer(kind, payload) ?? null })
    } catch (e) {
      if (e instanceof PythonError && e === this.passing) {
        this.passing = null
        return JSON.stringify({ pending: true, type: e.pythonType, message: e.message })
      }
      if (e instanceof PythonError || e instanceof TorchError)
        return JSON.stringify({ type: e.pythonType, message: e.message })
      if (this.broken) throw e
      return JSON.stringify({
        type: 'SystemError',
        message: `Fusescope: ${messageOf(e)}`,
      })
    }
  }

  private send(text: string): string {
    if (this.broken) throw new Error('Python has stopped and must be started again')
    try {
      return this.toPython(text)
    } catch (e) {
      const { type } = e as { type?: unknown }
      // Python's exceptions arrive as Answers. An exception of Python here means that our own Python code failed, because
      // the stack is exhausted or user code has patched what it needs; any other, that the interpreter terminated.
      if (typeof type === 'string') throw failedInside(type, messageOf(e))
      this.broken = true
      throw new PythonError(...ending(e), [])
    }
  }
}

/** The checks of the answers, whose content user code can change. */
const ANSWERS = Object.fromEntries(
  Object.entries(PYTHON_SIGNATURES).map(([kind, written]) => [kind, checkOf(signatureOf(written).answer)]),
) as Record<PythonCall, Check>

/** Calls whose answers are names, places and messages. Answers of the other calls are data and are not cut. */
const READ_BY_PEOPLE: ReadonlySet<PythonCall> = new Set<PythonCall>(['run', 'tests'])

/**
 * @param isRead whether people read the answer, as they read every exception: long strings are then cut
 * @throws PythonError if the answer has another form or is too long, because user code changed the code that creates it
 */
function answerOf<T>(sent: unknown, isRead: boolean): Answer<T> {
  const text = String(sent)
  let answer: unknown
  try {
    answer = parseAnswer(text)
  } catch (e) {
    throw new PythonError('RuntimeError', `the code gave an answer that cannot be read: ${messageOf(e)}`, [])
  }
  if (!hasAnswerForm(answer)) throw changed()
  const isCut = text.length > MAX_STRING && (isRead || 'error' in answer)
  return (isCut ? withStringsCut(answer) : answer) as Answer<T>
}

const changed = (): PythonError =>
  new PythonError('RuntimeError', 'the code changed Python itself: an answer does not have the expected form', [])

/** @param text Pyodide's message: a traceback */
function failedInside(type: string, text: string): PythonError {
  if (type === 'RecursionError') return new PythonError(type, 'maximum recursion depth exceeded', [])
  const line = cutText(text.trimEnd().split('\n').at(-1)!, 500)
  return new PythonError('RuntimeError', `the code changed Python itself, so this run cannot go on (${line})`, [])
}

/** Type and message for an exception that ended the interpreter. */
function ending(e: unknown): [type: string, message: string] {
  const again = 'Python has stopped and must be started again'
  if (e instanceof RangeError)
    return ['RecursionError', `the code nested calls or values too deeply for Python's stack: ${again}`]
  const text = messageOf(e)
  const status = /exit\((-?\d+)\)/.exec(text)?.[1]
  if (status !== undefined) return ['SystemExit', `the code ended Python with status ${status}: ${again}`]
  if (/unreachable|abort/i.test(text))
    return ['SystemError', `the code aborted Python (a fatal error or a signal): ${again}`]
  if (/out of bounds|null function|signature mismatch/i.test(text))
    return ['SystemError', `the code crashed Python (segmentation fault: ${text}): ${again}`]
  return ['SystemError', `the code crashed Python (${cutText(text, 200)}): ${again}`]
}
