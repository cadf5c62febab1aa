/** Strips the prefix of TORCH_LOGS lines: `V1121 00:16:25.733000 22044 torch/_dynamo/output_graph.py:2936] [0/0] [__graph_code] `. */

const PREFIX = /^[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ [^\]\s]{1,300}\] (?:\[[^\]\n]{0,100}\] ?)*/

/** True if the text's first lines have the prefix of torch's logging. */
export function hasLogPrefix(text: string): boolean {
  return text
    .slice(0, 4000)
    .split('\n', 5)
    .some((line) => PREFIX.test(line))
}

/** The text without the prefixes, line for line. */
export function stripLogPrefixes(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.charCodeAt(0) >= 65 ? line.slice(PREFIX.exec(line)?.[0].length ?? 0) : line))
    .join('\n')
}
