/**
 * Strips the prefixes that loggers put before each line. Each prefix is tried on the rest of the line, so that several in
 * a row (a CI timestamp, a rank, then torch's) go.
 */

/** `V1121 00:16:25.733000 22044 torch/_dynamo/output_graph.py:2936] [0/0] [__graph_code] `, of torch 2.3 and newer. */
const TORCH = /^[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ (?:\d+ )*[^\]\s]{1,300}\] ?(?:\[[^\]\n]{0,100}\] ?)*/
/** `[2025-02-06 16:46:56,300] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG] `, of torch 2.0 to 2.2. */
const TORCH_OLD = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[,.]\d+\] (?:\[[^\]\n]{1,30}\] ?)*[\w.]{1,200}: \[[A-Z]+\] ?/
/** The end of torch's prefix, where somebody cut its begin: `22044 torch/_dynamo/output_graph.py:2936] [0/0] [__graph_code] `. */
const TORCH_CUT =
  /^(?:(?:\d\d:\d\d:\d\d[.,]\d+\]? )?(?:\d+ )?[\w./-]{1,300}\.py:\d+\] ?(?:\[[^\]\n]{0,100}\] ?)*|(?:\[\d+\/\d+(?:_\d+)?\] ?)?\[__\w{3,60}\] ?|(?:\[\d+\/\d+(?:_\d+)?\] ?)?torch\.[\w.]{1,200}: \[[A-Z]+\] ?|\[\d+\/\d+(?:_\d+)?\] (?=\S))/
/** A line of which only a part of torch's prefix is left, where a text is cut. */
const TORCH_END =
  /^(?:\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[,.]\d+\](?: \[[^\]\n]{1,30}\])* ?[\w.]{0,200}(?:: ?\[?[A-Z]{0,8})?|[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ ?(?:\d+ ?)*[\w./-]{0,300}(?::\d*)?)$/
/** `INFO 03-07 03:06:55 [backends.py:409] ` and `(EngineCore_0 pid=12) `, `(VllmWorker TP0 pid=12) `, of vLLM; Ray adds an address. */
const VLLM =
  /^(?:\([\w-]{1,60}(?: \w{1,20})? (?:pid|rank)=\d+(?:, ip=[\w.:-]{1,60})?\) ?)*(?:INFO|DEBUG|WARNING|ERROR) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./-]+:\d+\] ?/
const WORKER = /^(?:\([\w-]{1,60}(?: \w{1,20})? (?:pid|rank)=\d+(?:, ip=[\w.:-]{1,60})?\) ?)+/
/** `[rank0]:`, of torchrun and torch.distributed. */
const RANK = /^\[(?:rank|default)\d+\]:\s?/
/** `2025-02-06T16:46:56.3000000Z `, of GitHub Actions. */
const CI = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /
/** `DEBUG    torch._inductor.compile_fx.__post_grad_graphs:compile_fx.py:12 `, of pytest's captured log. */
const PYTEST = /^(?:DEBUG|INFO|WARNING) {2,}[\w.]+:[\w.]+\.py:\d+ /

/** Torch's own prefixes; text with them is a log. */
const OF_TORCH = [TORCH, TORCH_OLD, TORCH_CUT, TORCH_END]
const ALL = [TORCH, TORCH_OLD, TORCH_CUT, TORCH_END, VLLM, RANK, WORKER, CI, PYTEST]

/** The length of the prefixes at the begin of a line; torch: one of them is torch's own. */
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

/** The name in the last bracket of torch's prefix, or of the old prefix's logger: `graph_code`, `post_grad_graphs`. */
export function artifactOf(prefix: string): string | null {
  return /\[__(\w+)\]\s*$/.exec(prefix)?.[1] ?? /\.__(\w+): \[[A-Z]+\]\s*$/.exec(prefix)?.[1] ?? null
}
