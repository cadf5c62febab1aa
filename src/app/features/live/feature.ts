import type { Feature } from '../types'
import { livePart } from './check'

export const liveFeature: Feature = { sessionPart: livePart }
