/** What computes the calls of a run that have no kernel, traced on demand. */
import { OperatorBodies } from '../programs/operator_bodies'
import type { Interpreter, Registrations } from './interpreter'

export const bodiesOf = (interpreter: Interpreter, registrations: Registrations): OperatorBodies =>
  new OperatorBodies({
    place: (target) => registrations.python.bodies.get(target),
    schemaOf: (target) => interpreter.with(registrations, () => interpreter.schemaOf(target)),
    lower: (call) => interpreter.with(registrations, ({ host }) => host.lower(call)),
    trace: (call) => interpreter.with(registrations, ({ host }) => host.traceBody(call)),
  })
