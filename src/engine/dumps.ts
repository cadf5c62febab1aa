/** The readers of dumps, for the page and the command line: which graphs a file or a pasted text holds. */
export {
  dumpOfBytes,
  dumpOfStream,
  dumpOfText,
  formatProblem,
  graphsOfFile,
  graphsOfFiles,
  holdsGraphs,
  isTorchTrace,
  passName,
  pipelineOf,
  read,
  textKind,
  type Dump,
  type DumpGraph,
  type FileDump,
} from '../fx'
