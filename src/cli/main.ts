/** Entry point of `fusescope`: the page's engine in a terminal and in CI. */
import { fusescope } from './fusescope'

process.exitCode = await fusescope(process.argv.slice(2))
// Python's runtime may keep timers; all output is written at this point.
process.exit()
