"""ctypes is closed: native code and memory cannot be reached. Its names are stubs, so that modules that import it load."""
