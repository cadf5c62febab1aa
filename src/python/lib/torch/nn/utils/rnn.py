"""torch.nn.utils.rnn: sequences padded to one length, and the tuple that holds packed ones."""

import collections

from _fusescope import bridge
from _fusescope import partial_modules as _partial

_Packed = collections.namedtuple(
    "PackedSequence", "data batch_sizes sorted_indices unsorted_indices", defaults=(None, None, None)
)


class PackedSequence(_Packed):
    @property
    def is_cuda(self):
        return self.data.is_cuda

    def to(self, *args, **kwargs):
        return self._replace(data=self.data.to(*args, **kwargs))


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    sequences = list(sequences.unbind(0)) if hasattr(sequences, "unbind") else list(sequences)
    return bridge.op("aten.pad_sequence.default", (sequences, batch_first, padding_value, padding_side), {})


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    raise NotImplementedError("Fusescope's torch has no torch.nn.utils.rnn.unpad_sequence")


pack_padded_sequence, pad_packed_sequence, pack_sequence, unpack_sequence = _partial.refused_functions(
    __name__,
    "its shapes depend on the values of the lengths",
    "pack_padded_sequence",
    "pad_packed_sequence",
    "pack_sequence",
    "unpack_sequence",
)
