"""A test that fails: the eps of the pattern is not that of the model. Run by real.sh."""

import fusescope
import fusion
import programs


def test_rms_norm_is_fused():
    with fusescope.record() as run:
        programs.block()
    run.assert_fires(fusion.rms_norm_pass, times=2)
