/**
 * Strips the prefixes that loggers put before each line. Prefixes are tried repeatedly on the rest of the line, so that several in
 * a row (a CI timestamp, a rank, then torch's) are removed.
 */

/** torch 2.3 and newer: `V1121 00:16:25.733000 22044 torch/_dynamo/output_graph.py:2936] [0/0] [__graph_code] `. */
const TORCH = /^[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ (?:\d+ )*[^\]\s]{1,300}\] ?(?:\[[^\]\n]{0,100}\] ?)*/
/** torch 2.0 to 2.2: `[2025-02-06 16:46:56,300] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG] `. */
const TORCH_OLD = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[,.]\d+\] (?:\[[^\]\n]{1,30}\] ?)*[\w.]{1,200}: \[[A-Z]+\] ?/
/** The end of torch's prefix after its beginning was cut off: `22044 torch/_dynamo/output_graph.py:2936] [0/0] [__graph_code] `. */
const TORCH_CUT =
  /^(?:(?:\d\d:\d\d:\d\d[.,]\d+\]? )?(?:\d+ )?[\w./-]{1,300}\.py:\d+\] ?(?:\[[^\]\n]{0,100}\] ?)*|(?:\[\d+\/\d+(?:_\d+)?\] ?)?\[__\w{3,60}\] ?|(?:\[\d+\/\d+(?:_\d+)?\] ?)?torch\.[\w.]{1,200}: \[[A-Z]+\] ?|\[\d+\/\d+(?:_\d+)?\] (?=\S))/
/** A line with only a part of torch's prefix, where the text was cut. */
const TORCH_END =
  /^(?:\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[,.]\d+\](?: \[[^\]\n]{1,30}\])* ?[\w.]{0,200}(?:: ?\[?[A-Z]{0,8})?|[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ ?(?:\d+ ?)*[\w./-]{0,300}(?::\d*)?)$/
/** vLLM: `INFO 03-07 03:06:55 [backends.py:409] `, `(EngineCore_0 pid=12) `, `(VllmWorker TP0 pid=12) `; Ray adds an address. */
const VLLM =
  /^(?:\([\w-]{1,60}(?: \w{1,20})? (?:pid|rank)=\d+(?:, ip=[\w.:-]{1,60})?\) ?)*(?:INFO|DEBUG|WARNING|ERROR) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./-]+:\d+\] ?/
const WORKER = /^(?:\([\w-]{1,60}(?: \w{1,20})? (?:pid|rank)=\d+(?:, ip=[\w.:-]{1,60})?\) ?)+/
/** torchrun and torch.distributed: `[rank0]:`. */
const RANK = /^\[(?:rank|default)\d+\]:\s?/
/** GitHub Actions: `2025-02-06T16:46:56.3000000Z `. */
const CI = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /
/** pytest's captured log: `DEBUG torch._inductor.compile_fx.__post_grad_graphs:compile_fx.py:12 `. */
const PYTEST = /^(?:DEBUG|INFO|WARNING) {2,}[\w.]+:[\w.]+\.py:\d+ /

/** Torch's own prefixes; text that has them is a log. */
const OF_TORCH = [TORCH, TORCH_OLD, TORCH_CUT, TORCH_END]
const ALL = [TORCH, TORCH_OLD, TORCH_CUT, TORCH_END, VLLM, RANK, WORKER, CI, PYTEST]

/** The length of the prefixes at the start of a line; `torch`: whether one of them is torch's own. */
export function logPrefix(line: string): { length: number; torch: boolean } {
  let length = 0
  let torch = false
  for (let rest = line, again = true; again && length < 1000;) {
    again = false
    for (const prefix of ALL) {
      const found = prefix.exec(rest)?.[0].length ?? 0
      if (found === 0) continue
      torch ||= OF_TORCH.includes(prefix)
      length += found
      rest = rest.slice(found)
      again = true
      break
    }
  }
  return { length, torch }
}

/** The name in the last bracket of torch's prefix, or in the old prefix's logger: `graph_code`, `post_grad_graphs`. */
export function artifactOf(prefix: string): string | null {
  return /\[__(\w+)\]\s*$/.exec(prefix)?.[1] ?? /\.__(\w+): \[[A-Z]+\]\s*$/.exec(prefix)?.[1] ?? null
}
