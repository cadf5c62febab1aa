/** `import { openSession } from 'fusescope'`, for Node. */
import { nodeAssets } from '../python/node_assets'
import type { Input, Session } from './api'
import { openSessionWith } from './session'

export const openSession = (input: Input): Promise<Session> => openSessionWith(nodeAssets(), input)
