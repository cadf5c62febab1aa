"""torch._vendor.packaging: version numbers."""
