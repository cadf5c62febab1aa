/** Faults for vLLM's passes and the graph `vllm_like32`, in which SiluMulBlockQuantPattern fires once a layer. */
import type { Environment } from '../../src/workspace/types'

export interface Fault {
  name: string
  /** Replacements in the graph. */
  graph?: readonly (readonly [RegExp, string])[]
  /** A file, and replacements in it. */
  file?: readonly [string, ...(readonly [RegExp | string, string])[]]
  environment?: Partial<Environment>
  /** Text in one of the first five lines. */
  says: RegExp
}

const ACT = 'act_quant_fusion.py'
const PATTERN_OUT = 'silu_out = self.silu_and_mul_matcher(input)\n            result'

/** Replaces, in all layers, the lines that read the activation, whose only user is the quantization. */
const activation = (lines: string): readonly [RegExp, string] => [
  /( +)(getitem_\d+): ("bf16\[48, 512\]\S* \S*") = (auto_functionalized_\d+)\[1\]; .*\n/g,
  lines,
]
/** A node between the activation and its quantization. */
const between = (type: string, call: string): readonly [RegExp, string] =>
  activation(`$1$2_raw: $3 = $4[1]\n$1$2: ${type} = torch.ops.${call.replace('X', '$2_raw')}\n`)

export const FAULTS: readonly Fault[] = [
  {
    name: 'eps',
    graph: [[/eps = 1e-10/g, 'eps = 1e-06']],
    says: /16 patterns miss for one cause: constant: eps of \w+ is 1e-06 in the graph, 1e-10 in the pattern/,
  },
  {
    name: 'eps in one layer',
    graph: [[/eps = 1e-10/, 'eps = 1e-06']],
    says: /constant: eps of \w+ is 1e-06 in the graph, 1e-10 in the pattern/,
  },
  {
    name: 'constant',
    graph: [[/group_size = 128/g, 'group_size = 32']],
    says: /16 patterns miss for one cause: constant: group_size of \w+ is 32 in the graph, 128 in the pattern/,
  },
  {
    name: 'renamed overload',
    graph: [[/_C\.silu_and_mul\.default/g, '_C.silu_and_mul.fast']],
    says: /patterns miss for one cause: wrong-o\w+: \w+ is _C\.silu_and_mul\.fast in the graph, the pattern has (the overload )?_C\.silu_and_mul\.default/,
  },
  {
    name: 'another operator',
    graph: [[/_C\.per_token_group_fp8_quant\.default/g, '_C.per_token_group_quant_int8.default']],
    says: /patterns miss for one cause: wrong-operator: \w+ is _C\.per_token_group_quant_int8\.default in the graph/,
  },
  {
    name: 'extra user',
    graph: [activation('$1$2: $3 = $4[1]\n$1$2_too: $3 = torch.ops.aten.relu.default($2)\n')],
    says: /escaping-intermediate: .*\w+.*\w+_too/,
  },
  {
    name: 'dtype',
    graph: [
      [/\[48, 512\], dtype = torch\.float8_e4m3fn/g, '[48, 512], dtype = torch.float8_e5m2'],
      [/f8e4m3fn\[48/g, 'f8e5m2[48'],
    ],
    says: /constant: dtype of \w+ is torch\.float8_e5m2 in the graph, torch\.float8_e4m3fn in the pattern/,
  },
  {
    name: 'missing reshape',
    graph: [between('"bf16[96, 256][256, 1]cpu"', 'aten.reshape.default(X, [96, 256])')],
    says: /inserted-node: the graph has \w+ \(aten\.reshape\.default\) between \w+_raw and its user/,
  },
  {
    name: 'cast',
    graph: [between('"f32[48, 512][512, 1]cpu"', 'prims.convert_element_type.default(X, torch.float32)')],
    says: /inserted-node: the graph has \w+ \(prims\.convert_element_type\.default\) between \w+_raw and its user/,
  },
  {
    name: 'cast in the pattern',
    file: [ACT, [PATTERN_OUT, PATTERN_OUT.replace('(input)', '(input).to(torch.float32)')]],
    says: /missing-node: the pattern has prims\.convert_element_type\.default after the value that is \w+ in the graph/,
  },
  {
    name: 'swapped inputs',
    graph: [
      [/output_q = (\w+), output_s = (\w+)/g, 'output_q = $2, output_s = $1'],
      [/(f8e4m3fn\[48, 512\].* = auto_functionalized_\d+)\[1\]/g, '$1[2]'],
      [/(f32\[48, 4\].* = auto_functionalized_\d+)\[2\]/g, '$1[1]'],
    ],
    says: /(output_q|output_s).*swapped|dtype of \w+ is torch\.float32 in the graph, torch\.float8_e4m3fn in the pattern/,
  },
  {
    name: 'missing keyword',
    graph: [[/, dummy_is_tma_aligned = False/g, '']],
    says: /patterns miss for one cause: kwarg-missing: \w+: the pattern passes dummy_is_tma_aligned=False, the graph does not/,
  },
  {
    name: 'wrong arity',
    file: [ACT, [/(scale: torch\.Tensor,\n)( +\) -> tuple.*\n +silu_out)/, '$1            bias: torch.Tensor,\n$2']],
    says: /IndexError .*_pattern \(\S*act_quant_fusion\.py:\d+\) has 3 parameters and gets 2 example inputs: bias lacks one/,
  },
  {
    name: 'output order',
    file: [ACT, ['return result, scale', 'return scale, result']],
    says: /violation \(output\)/,
  },
  {
    name: 'off by config',
    environment: { flags: { fuse_act_quant: false } },
    says: /ActivationQuantFusionPass is off, because .*fuse_act_quant/,
  },
  {
    name: 'import error',
    file: [ACT, ['import current_platform', 'import current_platfrom']],
    says: /act_quant_fusion\.py.*(ImportError|NameError).*current_platfrom/,
  },
  {
    name: 'extra_check',
    file: [
      'vllm_inductor_pass.py',
      [
        'self.pm_pass,\n        )\n        self._pattern',
        'self.pm_pass,\n            extra_check=lambda match: match.kwargs["input"].meta["val"].shape[-1] % 4096 == 0,\n        )\n        self._pattern',
      ],
    ],
    says: /extra-check: .*returned False.*1024/,
  },
  {
    name: 'device',
    file: [ACT, ['device=silu_out.device', 'device="cuda:1"']],
    says: /constant: device of \w+ is .*cpu.* in the graph, .*cuda.* in the pattern/,
  },
  {
    name: 'layout',
    graph: [
      [
        /empty\.memory_format\(\[48, 512\], dtype = torch\.float8/g,
        'empty_strided.default([48, 512], [1, 48], dtype = torch.float8',
      ],
    ],
    says: /factory: \w+ is made by aten\.empty_strided\.default in the graph, by aten\.empty\.memory_format in the pattern/,
  },
  {
    name: 'duplicate node',
    graph: [
      [
        /( +)(auto_functionalized_\d+) = (.*_C\.per_token_group_fp8_quant.*\n)(.*\n)( +getitem_\d+: .* = )auto_functionalized_\d+\[2\].*\n/g,
        '$1$2 = $3$1$2_too = $3$4$5$2_too[2]\n',
      ],
    ],
    says: /the pattern uses one _C\.per_token_group_fp8_quant\.default in two places, the graph has \w+ in one and \w+_too in the other/,
  },
  {
    name: 'view and reshape',
    graph: [
      between('"bf16[96, 256][256, 1]cpu"', 'aten.view.default(X, [96, 256])'),
      [/\[48, 512\], dtype = torch\.float8/g, '[96, 256], dtype = torch.float8'],
      [/f8e4m3fn\[48, 512\]\[512, 1\]/g, 'f8e4m3fn[96, 256][256, 1]'],
    ],
    file: [ACT, [PATTERN_OUT, PATTERN_OUT.replace('(input)', '(input).reshape(-1, input.shape[-1] // 4)')]],
    says: /wrong-operator: \w+ is aten\.view\.default in the graph, the pattern has aten\.reshape\.default there/,
  },
  {
    name: 'scalar and tensor',
    graph: [[/eps = 1e-10/g, 'eps = arg2_1']],
    says: /eps of \w+ is (the node )?arg2_1 in the graph.*1e-10/,
  },
  {
    name: 'functionalization of the other version',
    graph: [
      [
        /auto_functionalized\(torch\.ops\._C\.silu_and_mul\.default, result = (\w+), input = (\w+)\)/g,
        'auto_functionalized_v2(torch.ops._C.silu_and_mul.default, input = $2, _result_base_index = 0, _all_bases = [$1])',
      ],
    ],
    says: /functionalization: the graph wraps _C\.silu_and_mul\.default in auto_functionalized_v2/,
  },
  {
    name: 'another platform',
    environment: { platform: 'rocm' },
    says: /is_cuda\(\) = False because the platform is rocm .*act_quant_fusion\.py/,
  },
  {
    name: 'mutation between',
    graph: [activation('$1$2: $3 = $4[1]\n$1$2_copy: $3 = torch.ops.aten.copy_.default(arg2_1, arg2_1)\n')],
    says: /mutation-barrier/,
  },
]
