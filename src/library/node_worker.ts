/** `fusescope/worker`: a session in a worker of Node, which can be terminated when the files do not end. */
import { parentPort } from 'node:worker_threads'
import type { WorkerCall } from './api'
import { answering } from './calls'
import { openSession } from './index'

const answer = answering(openSession)
parentPort?.on('message', async (message: WorkerCall) => parentPort!.postMessage(await answer(message)))
