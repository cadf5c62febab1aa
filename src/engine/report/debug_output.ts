/** Reading a paste of PyTorch's log needs the report alone: it is done where the report is, without the worker. */
export { locate, parseDebugOutput, type LocatedDebugLine } from '../../explain/debug_output'
