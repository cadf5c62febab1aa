/** Calls to a session as messages, for `fusescope/worker`: handled one after another, in order of arrival. */
import { messageOf } from '../base/error_message'
import type { Input, Session, WorkerAnswer, WorkerCall } from './api'

/** @param open starts the session, which serves each later `open` too: Python starts once */
export function answering(open: (input: Input) => Promise<Session>): (message: WorkerCall) => Promise<WorkerAnswer> {
  let session: Session | null = null
  let before: Promise<unknown> = Promise.resolve()

  async function answer(message: WorkerCall): Promise<unknown> {
    if (message.call === 'open') {
      // Nothing of the earlier input remains.
      if (session)
        return session.change({ shapes: undefined, passes: undefined, environment: undefined, ...message.input })
      session = await open(message.input)
      return
    }
    if (!session) throw new Error('Nothing is open: call open first.')
    if (message.call === 'change') return session.change(message.input)
    if (message.call === 'explain') return session.explain(message.options)
    if (message.call === 'print') return session.print(message.options)
    return session[message.call]()
  }

  return (message) => {
    const answered = before
      .then(() => answer(message))
      .then(
        (result) => ({ id: message.id, result }),
        (error: unknown) => ({ id: message.id, error: messageOf(error) }),
      )
    before = answered
    return answered
  }
}
