"""torch.distributed.config: its settings, none of which changes a graph that is shown."""

compile_on_one_rank = use_torchcomms = pipeline_per_direction_p2p = False
