/** `fusescope`: the same engine as the page's, from a terminal and in CI. */
import { fusescope } from './fusescope'

process.exitCode = await fusescope(process.argv.slice(2))
// Python's runtime may keep timers; everything was written already.
process.exit()
