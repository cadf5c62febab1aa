"""torch.utils._indented_buffer: lines of generated code, each with the indentation that held when it was written."""

import contextlib
import dataclasses
import textwrap


@dataclasses.dataclass
class LineContext:
    context: object


@dataclasses.dataclass
class ValueWithLineMap:
    value: str
    line_map: list


class DeferredLineBase:
    """A line that is left out if its call returns None."""

    def __init__(self, line):
        self.line = line if line.strip() else ""

    def __call__(self):
        raise NotImplementedError

    def _new_line(self, line):
        raise NotImplementedError

    def with_prefix(self, prefix):
        return self._new_line(f"{prefix}{self.line}")

    def lstrip(self):
        return self._new_line(self.line.lstrip())

    def __getitem__(self, index):
        return self._new_line(self.line[index])

    def __bool__(self):
        return bool(self.line)

    def __len__(self):
        return len(self.line)


class IndentedBuffer:
    tabwidth = 4

    def __init__(self, initial_indent=0):
        self._lines, self._indent = [], initial_indent

    def _written(self):
        """Pairs of a text, None for a context, and what was written."""
        for line in self._lines:
            text = line() if isinstance(line, DeferredLineBase) else None if isinstance(line, LineContext) else line
            if text is not None or isinstance(line, LineContext):
                yield text, line

    def getvaluewithlinemap(self):
        at, texts, contexts = 1, [], []
        for text, line in self._written():
            if text is None:
                contexts.append((at, line.context))
            else:
                texts.append(f"{text}\n")
                at += 1 + text.count("\n")
        return ValueWithLineMap("".join(texts), contexts)

    def getvalue(self):
        return self.getvaluewithlinemap().value

    def getrawvalue(self):
        """The text with the lines joined that end in a backslash."""
        texts = [text for text, _ in self._written() if text is not None]
        return "".join(text[:-1] if text.endswith("\\") else f"{text}\n" for text in texts)

    def get_lines_ref(self):
        return self._lines

    def clear(self):
        self._lines.clear()

    def __bool__(self):
        return bool(self._lines)

    def prefix(self):
        return " " * (self._indent * self.tabwidth)

    def newline(self):
        self.writeline("\n")

    def writeline(self, line):
        if isinstance(line, LineContext):
            self._lines.append(line)
        elif isinstance(line, DeferredLineBase):
            self._lines.append(line.with_prefix(self.prefix()))
        else:
            self._lines.append(f"{self.prefix()}{line}" if line.strip() else "")

    def writelines(self, lines):
        for line in lines:
            self.writeline(line)

    @contextlib.contextmanager
    def indent(self, offset=1):
        self._indent += offset
        try:
            yield
        finally:
            self._indent -= offset

    def do_indent(self, offset=1):
        self._indent += offset

    def do_unindent(self, offset=1):
        self._indent -= offset

    def splice(self, other_code, strip=False):
        if isinstance(other_code, IndentedBuffer):
            indents = [len(x) - len(x.lstrip()) for x in other_code._lines if not isinstance(x, LineContext) and x]
            for line in other_code._lines:
                IndentedBuffer.writeline(
                    self, line if isinstance(line, LineContext) else line[min(indents, default=0) :]
                )
            return
        text = textwrap.dedent(other_code)
        text = text.lstrip() if strip else text
        for line in text.rstrip().split("\n") if text else ():
            IndentedBuffer.writeline(self, line)

    def map(self, func):
        made = IndentedBuffer(self._indent)
        made._lines = [func(line) for line in self._lines]
        return made

    def __add__(self, other):
        if self._indent != other._indent:
            raise AssertionError(f"Indent mismatch: {self._indent} != {other._indent}")
        made = IndentedBuffer(self._indent)
        made.writelines(self._lines)
        made.writelines(other._lines)
        return made

    def contains(self, new_line):
        return new_line in self._lines

    def __repr__(self):
        return f"{type(self)}({self.getvalue()})"
