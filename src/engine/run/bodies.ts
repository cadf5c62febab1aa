/** The bodies of the operators that a run's files define in Python, traced on demand. */
import { OperatorBodies } from '../programs/operator_bodies'
import type { Interpreter, Registrations } from './interpreter'

export const bodiesOf = (interpreter: Interpreter, registrations: Registrations): OperatorBodies =>
  new OperatorBodies({
    place: (target) => registrations.python.bodies.get(target),
    schemaOf: (target) => interpreter.with(registrations, () => interpreter.schemaOf(target)),
    trace: (call) => interpreter.with(registrations, ({ host }) => host.traceBody(call)),
  })
