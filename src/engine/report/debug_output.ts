/** Reads pasted PyTorch logs on the page: the report contains all that is needed, so no call to the worker. */
export { locate, parseDebugOutput, type LocatedDebugLine } from '../../explain/debug_output'
