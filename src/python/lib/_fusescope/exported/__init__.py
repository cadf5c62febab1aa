"""The runtime of exported scripts. Nothing here runs in Fusescope: the text of these files is part of each script."""
