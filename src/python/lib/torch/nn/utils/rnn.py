"""torch.nn.utils.rnn: sequences padded to one length."""

from _fusescope import bridge


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    sequences = list(sequences.unbind(0)) if hasattr(sequences, "unbind") else list(sequences)
    return bridge.op("aten.pad_sequence.default", (sequences, batch_first, padding_value, padding_side), {})


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    raise NotImplementedError("Fusescope's torch has no torch.nn.utils.rnn.unpad_sequence")
