"""torch._logging: loggers of the standard library. Structured traces are not written."""

import logging

from _fusescope import partial_modules as _partial


def trace_structured(name, metadata_fn=dict, *, payload_fn=lambda: None, **options):
    """Nothing reads the trace of a run here."""


def getArtifactLogger(module_qname, artifact_name):
    return logging.getLogger(f"{module_qname}.__{artifact_name}")


def set_logs(**levels):
    pass


__getattr__ = _partial.of_pytorch(__name__, listed=False)
