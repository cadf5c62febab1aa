import type { Feature } from '../types'
import { DOWNLOAD_CAPTURE_SCRIPT } from './commands'

export const captureFeature: Feature = { commands: [DOWNLOAD_CAPTURE_SCRIPT] }
