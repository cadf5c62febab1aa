"""sglang.srt.compilation.compilation_config: capture sizes, compiler, and operators at which the graph is split."""


class CompilationConfig:
    def __init__(self, capture_sizes=(), compiler="eager", enable_debug_mode=False):
        self.traced_files = set()
        self.capture_sizes = list(capture_sizes)
        self.compiler = compiler
        self.enable_debug_mode = enable_debug_mode
        self.split_ops = ["sglang.unified_attention_with_output", "sglang.gdn_with_output", "sglang.inplace_all_reduce"]

    def add_split_op(self, op):
        self.split_ops.append(op)

    def add_traced_file(self, file_path):
        self.traced_files.add(file_path)

    def get_traced_files(self):
        return self.traced_files

    def get_capture_sizes(self):
        return self.capture_sizes

    def get_enable_debug_mode(self):
        return self.enable_debug_mode
