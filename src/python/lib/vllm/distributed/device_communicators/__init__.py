"""vllm.distributed.device_communicators: what passes ask of a communicator; nothing is sent."""
