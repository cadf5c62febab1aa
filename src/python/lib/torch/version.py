__version__ = "2.14.1+fusescope"
cuda = hip = xpu = git_version = None
debug = False
