/** Reads pasted PyTorch logs on the page: the report contains everything that is needed, so no worker call is made. */
export { locate, parseDebugOutput, type LocatedDebugLine } from '../../explain/debug_output'
